import { useRef } from 'react'
import { withoutMarks } from '#contract/markdown/without-marks.ts'
import type { Message } from '#contract/threads.ts'
import { message as toast } from '#web/lib/notify.ts'
import { useMessageActions } from './message-actions.ts'
import { selectedIn } from './selected-in.ts'

/** Quotes what is selected in the answer, and only else the whole answer: that is paid for, so it is said. */
export function useQuote(message: Message) {
  const { quote } = useMessageActions(message)
  const selection = useRef('')
  return {
    /** The click that follows may clear the selection. */
    remember() {
      selection.current = selectedIn(message.id)
    },
    quote() {
      const selected = selection.current || selectedIn(message.id)
      selection.current = ''
      quote(selected || asRead(message.content))
      if (!selected) toast.success('Процитирован весь ответ. Чтобы взять часть, сначала выделите её.')
    },
  }
}

/** Between fences is code, which stays as it is. */
const asRead = (markdown: string) =>
  markdown
    .split(/^ *(?:```|~~~).*\n?/m)
    .map((part, i) => (i % 2 === 0 ? withoutMarks(part) : part))
    .join('')
