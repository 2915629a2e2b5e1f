import { type RefObject, useRef } from 'react'
import { MessageRow } from '../messages/message-row.tsx'
import { Thinking } from '../messages/thinking.tsx'
import { OlderEdge } from './older-edge.tsx'
import type { Shown } from './rows.ts'
import { useOlder } from './use-older.ts'

/** How many of the last messages are drawn in full at once. */
const RECENT = 4

interface MessageListProps {
  threadId: string
  shown: Shown
  hasOlder: boolean
  litId: string | null
}

export function MessageList({ threadId, shown: { rows, isThinking }, hasOlder, litId }: MessageListProps) {
  const list: RefObject<HTMLOListElement | null> = useRef(null)
  const older = useOlder(threadId, list, rows[0]?.message.id)
  return (
    // A log by its role, but a silent one: the live region says when an answer begins and ends.
    <section role="log" aria-live="off" aria-label="Беседа">
      {hasOlder && <OlderEdge {...older} />}
      <ol ref={list} className="flex flex-col">
        {rows.map(({ message, outgoing }, i) => (
          <MessageRow
            key={message.id}
            message={message}
            outgoing={outgoing}
            isLast={i === rows.length - 1 && !isThinking}
            isRecent={i >= rows.length - RECENT}
            isLit={message.id === litId}
          />
        ))}
      </ol>
      {isThinking && (
        <div className="px-4 py-2">
          <Thinking />
        </div>
      )}
    </section>
  )
}
