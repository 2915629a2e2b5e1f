import { memo, useRef } from 'react'
import type { Message } from '#contract/threads.ts'
import { classNames } from '#web/lib/class-names.ts'
import type { OutboxItem } from '../state/outbox.ts'
import { AnswerMessage } from './answer-message.tsx'
import { rowId } from './selected-in.ts'
import { canSkipRows, estimateRowHeight, useNear } from './skipped-rows.ts'
import { UserMessage } from './user-message.tsx'

interface MessageRowProps {
  message: Message
  /** The name of the user or of the model. */
  author: string
  outgoing?: OutboxItem
  isLast: boolean
  /** One of the last rows, which are visible first. */
  isRecent: boolean
  isLit: boolean
}

/** The browser skips the layout of rows out of view; find-in-page and screen readers still find them. */
export const MessageRow = memo(function MessageRow({
  message,
  author,
  outgoing,
  isLast,
  isRecent,
  isLit,
}: MessageRowProps) {
  const ref = useRef<HTMLLIElement>(null)
  const isNear = useNear(ref, isRecent, message.role === 'assistant' ? message.content : '')
  const isSkipped = !isRecent && canSkipRows()
  return (
    <li
      ref={ref}
      id={rowId(message.id)}
      style={isSkipped ? { containIntrinsicHeight: `auto ${estimateRowHeight(message)}px` } : undefined}
      className={classNames(
        'group/row scroll-mt-16 rounded-md px-4 py-2 transition-colors duration-500 print:px-0 print:[content-visibility:visible]',
        isSkipped && '[content-visibility:auto]',
        isLit && 'bg-warning-soft',
      )}
    >
      <article aria-label={author}>
        {message.role === 'user' ? (
          <UserMessage message={message} outgoing={outgoing} isNear={isNear} />
        ) : (
          <AnswerMessage message={message} isLast={isLast} isNear={isNear} />
        )}
      </article>
    </li>
  )
})
