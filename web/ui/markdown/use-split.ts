import { useEffect, useState } from 'react'
import { advanceSplit, splitInPieces, splitText } from './parse/split.ts'
import type { SplitText } from './parse/types.ts'
import { createTextCache } from './text-cache.ts'

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
  if (cache.get(text)) return
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

/** Finished answers, about as many as a few long chats have: one that scrolls back into view is not parsed again. */
const cache = createTextCache<SplitText>({ maxLength: 400_000 })

function cacheSplit(split: SplitText): void {
  if (!split.isStreaming) cache.set(split.cut.raw, split)
}
