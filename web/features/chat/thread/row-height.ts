import type { Message } from '#contract/threads.ts'

const LINE_PX = 25
const COLUMN_SIGNS = 88
const AROUND_PX = 72
const FILES_PX = 56

/** About how high a message will be, so that the scroll bar tells the truth about what is not drawn yet. */
export function guessHeight({ content, files }: Pick<Message, 'content' | 'files'>): number {
  let lines = 0
  for (let from = 0; from <= content.length; ) {
    const end = content.indexOf('\n', from)
    const length = (end < 0 ? content.length : end) - from
    lines += Math.max(0.5, Math.ceil(length / COLUMN_SIGNS))
    if (end < 0) break
    from = end + 1
  }
  return Math.round(lines * LINE_PX + AROUND_PX + (files.length > 0 ? FILES_PX : 0))
}
