import type { Message } from '#contract/threads.ts'
import { paths } from '#web/lib/paths.ts'
import { Scissors } from '#web/ui/icons.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { cutMessagesLabel } from './answer-cost.ts'

/** Says under an answer that its model did not read the beginning of the chat. */
export function CutNote({ message: { parts } }: { message: Message }) {
  const cut = cutMessagesLabel(parts?.cutMessages ?? 0)
  if (!cut) return null
  return (
    <p className="mt-2 flex gap-1.5 text-sm text-muted">
      <Scissors size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
      <span>
        {cut}{' '}
        <TextLink inText href={paths.help('chat/long-chats')}>
          Как сжать начало чата
        </TextLink>
      </span>
    </p>
  )
}
