import { drafts } from '../state/drafts.ts'

export function insertAtCaret(draft: string, field: HTMLTextAreaElement | null, spoken: string) {
  const before = drafts().read(draft)
  const { text } = before
  const from = field?.selectionStart ?? text.length
  const to = field?.selectionEnd ?? text.length
  const { joined, caret } = joinSpoken(text.slice(0, from), spoken, text.slice(to))
  drafts().write(draft, { ...before, text: joined })
  drafts().flush()
  requestAnimationFrame(() => field?.setSelectionRange(caret, caret))
}

/** Inserts the text at the caret, with spaces around it where they are needed. */
export function joinSpoken(before: string, spoken: string, after: string): { joined: string; caret: number } {
  const left = before === '' || /[\s(«"]$/.test(before) ? before : `${before} `
  const right = after === '' || /^[\s.,;:!?)»]/.test(after) ? after : ` ${after}`
  const start = left + spoken.trim()
  return { joined: start + right, caret: start.length }
}
