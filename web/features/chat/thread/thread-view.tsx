import { useEffect, useMemo, useRef } from 'react'
import { useProfile } from '#web/features/users/queries.ts'
import { type OutboxItem, useOutbox } from '#web/lib/outbox.ts'
import { useRun } from '../answers/runs.ts'
import { OutOfSymbolsCard } from '../messages/out-of-symbols-card.tsx'
import { useOutOfSymbols } from '../outbox/out-of-symbols.ts'
import { useDeletingId } from './deletions.ts'
import { LiveRegion } from './live-region.tsx'
import { MessageList } from './message-list.tsx'
import { QueueList } from './queue-list.tsx'
import { showRows } from './rows.ts'
import { ThreadComposer } from './thread-composer.tsx'
import type { ThreadData } from './thread-data.ts'
import { ToEndButton } from './to-end-button.tsx'
import { useEnd } from './use-end.ts'
import { useFoundMessage } from './use-found-message.ts'
import { useRunningAnswer, useThreadEvents } from './use-thread-events.ts'

/** A conversation: its messages, and the field for the next one. */
export function ThreadView({ data }: { data: ThreadData }) {
  const { id, Messages: messages, olderCursor } = data
  const content = useRef<HTMLDivElement>(null)
  const last = messages.at(-1)
  const end = useEnd(id, content, `${last?.id} ${last?.content.length}`)
  const run = useRun(id)
  const items = useThreadOutbox(id)
  const deletingId = useDeletingId(id)
  const shown = useMemo(() => showRows({ messages, run, items, deletingId }), [messages, run, items, deletingId])
  const streamingId = last?.status === 'streaming' ? last.id : null
  useThreadEvents(id)
  useRunningAnswer(id, run ? null : streamingId)
  const litId = useFoundMessage(id, end.letGo)
  useFollowOwn(items, end.goThere)

  return (
    <div ref={content} data-own-scroll className="mx-auto flex w-full max-w-[792px] flex-1 flex-col">
      <div className="flex-1 pt-4 pb-6">
        <MessageList threadId={id} shown={shown} hasOlder={olderCursor !== null} litId={litId} />
        {last?.status !== 'out_of_symbols' && <OutOfSymbolsNotice threadId={id} />}
      </div>
      <LiveRegion last={last} />
      <div data-screen-only className="sticky bottom-0 z-20 bg-page px-4 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
        <div className="pointer-events-none absolute inset-x-0 -top-5 h-5 bg-linear-to-t from-page to-transparent" />
        {end.isAway && <ToEndButton hasNew={end.hasNew} onClick={end.goThere} />}
        <QueueList items={shown.queued} />
        <ThreadComposer data={data} isAnswering={run !== undefined || streamingId !== null} />
      </div>
    </div>
  )
}

/** Until there are more symbols than when the message was refused. */
function OutOfSymbolsNotice({ threadId }: { threadId: string }) {
  const outOfSymbols = useOutOfSymbols(threadId)
  const available = useProfile().data?.SingleSubscription.availableTokens ?? 0
  if (!outOfSymbols || available > outOfSymbols.available) return null
  return (
    <div className="px-4 py-3">
      <OutOfSymbolsCard title={outOfSymbols.message} />
    </div>
  )
}

function useThreadOutbox(threadId: string): OutboxItem[] {
  const all = useOutbox()
  return useMemo(() => all.filter((item) => item.threadId === threadId), [all, threadId])
}

/** What one sends oneself is always followed. */
function useFollowOwn(items: OutboxItem[], goThere: () => void) {
  const newest = items.at(-1)?.at ?? 0
  const followed = useRef(0)
  useEffect(() => {
    if (newest <= followed.current) return
    followed.current = newest
    goThere()
  }, [newest, goThere])
}
