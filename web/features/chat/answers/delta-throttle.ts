import type { AnswerEvent } from '#contract/answers.ts'

/** While nobody looks there are no frames, and no hurry. */
const HIDDEN_MS = 500

/** More often than this nobody sees the text grow, and drawing it costs more than all the rest. */
const STEP_MS = 30

/** Hands events on at the pace of the eye: one growth of the text every other frame, at most. */
export function createDeltaThrottle(write: (event: AnswerEvent) => void, begun = '') {
  let pacer = createPacer(begun)
  let frame: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let shownAt = 0

  const show = (text: string) => write({ type: 'delta', offset: text.length, text })

  function schedule() {
    if (document.hidden) timer ??= setTimeout(showAll, HIDDEN_MS)
    else frame ??= requestAnimationFrame(showNext)
  }

  function showNext() {
    frame = undefined
    const now = performance.now()
    if (now - shownAt >= STEP_MS) {
      shownAt = now
      show(pacer.take(now))
    }
    if (pacer.isBehind()) schedule()
  }

  function showAll() {
    cancel()
    if (pacer.isBehind()) show(pacer.takeAll())
  }

  function cancel() {
    if (frame !== undefined) cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = timer = undefined
  }

  return {
    receive(event: AnswerEvent) {
      if (event.type === 'delta') {
        pacer.push(event.text, performance.now())
        schedule()
        return
      }
      showAll()
      if (event.type === 'start') pacer = createPacer(event.assistant.content)
      write(event)
    },
    end: showAll,
  }
}

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
function nextShown(shown: number, lumps: readonly Lump[], now: number, frameMs: number): number {
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
