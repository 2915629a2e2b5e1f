import { type RefObject, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { MessageRow } from '../messages/message-row.tsx'
import { Thinking } from '../messages/thinking.tsx'
import type { Shown } from './rows.ts'
import { useOlder } from './use-older.ts'

/** The number of last messages that are rendered in full at once. */
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
    // The live region announces answers, so the log itself is silent.
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

interface OlderEdgeProps {
  sentinel: RefObject<HTMLDivElement | null>
  state: 'idle' | 'loading' | 'failed'
  load: () => Promise<void>
}

/** The area above the first loaded message. */
function OlderEdge({ sentinel, state, load }: OlderEdgeProps) {
  return (
    <div ref={sentinel} className="px-4 py-3">
      <p className="hidden text-sm text-muted print:block">Более ранние сообщения не напечатаны.</p>
      <div data-screen-only className="min-h-16">
        {state === 'failed' && (
          <div className="flex flex-wrap items-center justify-center gap-3 text-sm text-muted">
            Не удалось загрузить более ранние сообщения.
            <Button size="sm" onClick={() => void load()}>
              Повторить
            </Button>
          </div>
        )}
        {/* Animated only while loading: an idle page costs nothing. */}
        {state === 'loading' && <Skeleton className="h-16" />}
      </div>
    </div>
  )
}
