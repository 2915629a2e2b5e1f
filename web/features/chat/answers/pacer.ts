/** Text comes in lumps and is shown as an even flow: each lump is spread over this long, and never shown later. */
export const SPREAD_MS = 120

interface Lump {
  end: number
  due: number
}

export function createPacer(text = '') {
  let received = text
  let shown = text.length
  let at: number | null = null
  let lumps: Lump[] = []

  return {
    /** How much of the text is here, shown or not. */
    length: () => received.length,
    push(piece: string, now: number) {
      if (shown === received.length) at = now
      received += piece
      lumps.push({ end: received.length, due: now + SPREAD_MS })
    },
    /** The whole text that is to be seen now. */
    take(now: number): string {
      shown = wholeSign(received, nextShown(shown, lumps, now, now - (at ?? now)))
      at = now
      lumps = lumps.filter(({ end }) => end > shown)
      return received.slice(0, shown)
    },
    takeAll(): string {
      shown = received.length
      lumps = []
      return received
    },
    isBehind: () => shown < received.length,
  }
}

/** As fast as the most urgent lump needs. */
export function nextShown(shown: number, lumps: readonly Lump[], now: number, frameMs: number): number {
  let next = shown
  for (const { end, due } of lumps) {
    const wait = due - now + frameMs
    const share = wait <= frameMs ? 1 : frameMs / wait
    next = Math.max(next, shown + Math.ceil((end - shown) * share))
  }
  return next
}

/** A letter with its accent, or an emoji, is not shown by halves. */
function wholeSign(text: string, end: number): number {
  let next = end
  while (next < text.length && isContinuation(text.charCodeAt(next), text.charCodeAt(next - 1))) next += 1
  return next
}

function isContinuation(code: number, before: number): boolean {
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff
  const isMark = (code >= 0x0300 && code <= 0x036f) || code === 0xfe0f || code === 0x200d
  return isLowSurrogate || isMark || before === 0x200d
}
