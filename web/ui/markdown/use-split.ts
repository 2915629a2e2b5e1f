import { useEffect, useState } from 'react'
import { advanceSplit, splitInPieces, splitText } from './parse/split.ts'
import type { SplitText } from './parse/types.ts'

/**
 * The split of a text. Each one is made from the previous one, which is much cheaper than from the text, so it is kept
 * in state and replaced while rendering: React discards it together with a render that it abandons.
 */
export function useSplit(source: string, isStreaming: boolean): SplitText {
  const text = cleanText(source)
  const [previous, setPrevious] = useState(
    () => (isStreaming ? undefined : cache.get(text)) ?? splitText(text, isStreaming),
  )
  const split = advanceSplit(previous, text, isStreaming)
  if (split !== previous) setPrevious(split)
  const whole = split.isStreaming ? null : split
  useEffect(() => {
    if (whole) cacheSplit(whole)
  }, [whole])
  return split
}

/**
 * Parses a finished text before it is rendered, in pieces, so that the page stays responsive. The result is kept like
 * that of a text that was shown.
 */
export async function parseInPieces(source: string): Promise<void> {
  const text = cleanText(source)
  if (cache.has(text)) return
  for (const split of splitInPieces(text)) {
    cacheSplit(split)
    await new Promise((done) => setTimeout(done))
  }
}

/** One kind of line end and no invisible characters. Three searches are faster than one regular expression. */
function cleanText(text: string): string {
  if (!text.includes('\r') && !text.includes('\0') && !text.includes('\uFEFF')) return text
  return text.replace(/\r\n?/g, '\n').replaceAll('\uFEFF', '').replaceAll('\0', '\uFFFD')
}

/** How many characters of finished answers stay parsed: about as many as a few long chats have. */
const CACHE_LIMIT = 400_000

const cache = new Map<string, SplitText>()
let cachedLength = 0

/** Keeps finished answers, so that one that scrolls back into view is not parsed again. */
function cacheSplit(split: SplitText): void {
  if (split.isStreaming) return
  const { raw } = split.cut
  if (cache.delete(raw)) cachedLength -= raw.length
  cache.set(raw, split)
  cachedLength += raw.length
  for (const text of cache.keys()) {
    if (cachedLength <= CACHE_LIMIT) break
    cache.delete(text)
    cachedLength -= text.length
  }
}
