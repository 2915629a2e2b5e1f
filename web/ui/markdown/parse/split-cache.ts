import { type Split, splitText } from './split.ts'

/** How many characters of finished answers are kept split: about what a few long chats show. */
const LIMIT = 400_000

const kept = new Map<string, Split>()
let size = 0

/** The split of a text; that of a finished answer is found again when it comes back into view. */
export function openSplit(text: string, isStreaming: boolean): Split {
  const found = isStreaming ? undefined : kept.get(text)
  return found ?? splitText(text, isStreaming)
}

/** Finished answers only: a growing one is held by what shows it. */
export function keepSplit(split: Split): void {
  if (split.isStreaming) return
  if (kept.delete(split.text)) size -= split.text.length
  kept.set(split.text, split)
  size += split.text.length
  for (const text of kept.keys()) {
    if (size <= LIMIT) break
    kept.delete(text)
    size -= text.length
  }
}
