import type { Nodes } from 'mdast'
import { useEffect, useState } from 'react'
import { isTooDense } from './parse/markup-cost.ts'
import { advanceSplit, splitInPieces, splitText } from './parse/split.ts'
import type { SplitText } from './parse/types.ts'
import { bytesOf, createTextCache } from './text-cache.ts'

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
  if (cache.get(text) || isTooDense(source)) return
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
const cache = createTextCache<SplitText>({ maxBytes: 12_000_000, weigh: bytesOfSplit })

/** Of a node with its fields and its list of children. */
const NODE_BYTES = 150
const bytesOfNode = (node: Nodes): number =>
  'children' in node ? node.children.reduce((sum, child) => sum + bytesOfNode(child), NODE_BYTES) : NODE_BYTES

/** Its text as it was, with long paragraphs cut, and in the nodes. */
function bytesOfSplit({ text, blocks }: SplitText): number {
  return blocks.reduce((sum, { node }) => sum + bytesOfNode(node), 2 * bytesOf(text))
}

function cacheSplit(split: SplitText): void {
  if (!split.isStreaming) cache.set(split.cut.raw, split)
}
