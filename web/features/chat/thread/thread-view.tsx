import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { TopicEvent } from '#contract/realtime.ts'
import type { Message, MessageStatus, ThreadEvent } from '#contract/threads.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { usePendingRemovals } from '#web/lib/undoable.ts'
import { Button } from '#web/ui/button.tsx'
import { ArrowDown } from '#web/ui/icons.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { attachToRunning } from '../answers/answer-run.ts'
import { shownSummaries } from '../composer/sent-history.ts'
import { OutOfSymbolsNotice } from '../messages/out-of-symbols-card.tsx'
import { QueueList } from '../messages/outbox-rows.tsx'
import { useReadingEnds } from '../messages/read-aloud.ts'
import { useThinkingSince } from '../messages/thought.tsx'
import { useChangeThread } from '../queries.ts'
import { type OutboxItem, useOutbox } from '../state/outbox.ts'
import { changeRun, getRun, isFollowed, isUnsent, useRun } from '../state/runs.ts'
import { type ThreadData, threadKey } from '../state/thread-data.ts'
import { LongHistory } from '../summaries/long-history.tsx'
import { FindHost } from './find-host.tsx'
import { MessageList } from './message-list.tsx'
import { buildRows } from './rows.ts'
import { ThreadComposer } from './thread-composer.tsx'
import { useFoundMessage } from './use-found-message.ts'
import { useScrollAnchor } from './use-scroll-anchor.ts'

export function ThreadView({ data }: { data: ThreadData }) {
  const { id, Messages: messages, olderCursor } = data
  const content = useRef<HTMLDivElement>(null)
  const last = messages.at(-1)
  const { anchor, isAway, hasNew } = useScrollAnchor(id, content, last)
  const run = useRun(id)
  const items = useThreadOutbox(id)
  const leaving = usePendingRemovals()
  const deletingId = messages.find((message) => leaving.has(message.id))?.id ?? null
  const shown = useMemo(() => buildRows({ messages, run, items, deletingId }), [messages, run, items, deletingId])
  const streamingId = last?.status === 'streaming' ? last.id : null
  const isThinking = useThinkingSince(id, last?.modelId ?? null) !== null
  useThreadEvents(id)
  useRunningAnswer(id, run ? null : streamingId)
  const litId = useFoundMessage(id, anchor.release)
  useFollowOwn(items, anchor.goToEnd)
  useReadingEnds(id, messages)

  return (
    <div ref={content} data-own-scroll className="mx-auto flex w-full max-w-[792px] flex-1 flex-col">
      <FindHost key={id} threadId={id} onReach={anchor.release} />
      <div className="flex-1 pt-4 pb-6">
        <MessageList
          threadId={id}
          shown={shown}
          summaries={shownSummaries(data.Summaries ?? [])}
          hasOlder={olderCursor !== null}
          litId={litId}
          anchor={anchor}
        />
        {last?.status !== 'out_of_symbols' && <OutOfSymbolsNotice threadId={id} />}
      </div>
      <LiveRegion last={last} isThinking={isThinking} />
      <div data-screen-only className="sticky bottom-0 z-20 bg-page px-4 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
        <div className="pointer-events-none absolute inset-x-0 -top-5 h-5 bg-linear-to-t from-page to-transparent" />
        {isAway && <ToEndButton hasNew={hasNew} onClick={anchor.goToEnd} />}
        <QueueList items={shown.queued} />
        {data.movedFrom && data.Model && <MovedNote data={data} />}
        {!run && streamingId === null && <LongHistory data={data} />}
        <ThreadComposer data={data} isAnswering={run ? !isUnsent(run) : streamingId !== null} />
      </div>
    </div>
  )
}

/** Says that the provider has shut down the model of the chat; shown until dismissed or another model is chosen. */
function MovedNote({ data: { id, movedFrom, Model } }: { data: ThreadData }) {
  const { mutate: change } = useChangeThread(id)
  return (
    <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 px-2 text-sm text-muted">
      <p className="min-w-0 flex-1 basis-64 text-pretty">
        Модель «{movedFrom}» отключена провайдером, чат продолжает «{Model?.name}».
      </p>
      <Button
        size="sm"
        variant="ghost"
        className="ml-auto"
        onClick={() => change({ body: { movedFrom: null }, shown: { movedFrom: null } })}
      >
        Понятно
      </Button>
    </div>
  )
}

function useThreadOutbox(threadId: string): OutboxItem[] {
  const all = useOutbox()
  return useMemo(() => all.filter((item) => item.threadId === threadId), [all, threadId])
}

/** Scrolls to a message that was just sent. */
function useFollowOwn(items: OutboxItem[], goToEnd: () => void) {
  const newest = items.at(-1)?.at ?? 0
  const followed = useRef(0)
  useEffect(() => {
    if (newest <= followed.current) return
    followed.current = newest
    goToEnd()
  }, [newest, goToEnd])
}

/** Refetches the thread after events of other windows; while an answer is running here, after its end. */
function useThreadEvents(threadId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const queryKey = threadKey(threadId)
    return subscribe(`thread:${threadId}`, (event) => {
      const version = client.getQueryData(queryKey)?.version
      if (!isNewEvent(event, threadId, version)) return
      if (getRun(threadId)) changeRun(threadId, { isOutdated: true })
      else void client.invalidateQueries({ queryKey, exact: true })
    })
  }, [client, threadId])
}

function isNewEvent(event: TopicEvent, threadId: string, version = -1): boolean {
  if (event.type === 'resumed') return true
  const { type, data } = event as TopicEvent & ThreadEvent
  if (type === 'changed') return data.version > version
  // While this window sends a question, a new answer is its own: a thread has only one running answer.
  if (type === 'answering' && getRun(threadId)) return false
  return !isFollowed(threadId, data.messageId)
}

/** Attaches to an answer started elsewhere: before a reload, in another window, on another device. */
function useRunningAnswer(threadId: string, streamingId: string | null): void {
  const client = useQueryClient()
  useEffect(() => {
    if (streamingId) attachToRunning(client, threadId)
  }, [client, threadId, streamingId])
}

const statusLabels: Record<MessageStatus | 'thinking', string> = {
  thinking: 'Модель думает',
  streaming: 'Ответ пишется',
  complete: 'Ответ готов',
  stopped: 'Ответ остановлен',
  interrupted: 'Ответ прервался',
  failed: 'Ответ не получился',
  out_of_symbols: 'Ответ остановлен: на него не хватило символов или дневного предела',
}

/** Announces the thinking, the start and the end of an answer, but not each second or word. */
function LiveRegion({ last, isThinking }: { last: Message | undefined; isThinking: boolean }) {
  const [announcement, setAnnouncement] = useState('')
  const before = useRef<string | undefined>(undefined)
  const status = last?.role === 'assistant' ? last.status : undefined
  const isStreaming = status === 'streaming'
  const now = isStreaming && last?.content === '' && (isThinking || last.thought?.text) ? 'thinking' : status
  useEffect(() => {
    // The status at opening time is not announced.
    if (before.current === 'streaming' || isStreaming) setAnnouncement(now ? statusLabels[now] : '')
    before.current = status
  }, [status, now, isStreaming])
  return (
    <p role="status" className="sr-only">
      {announcement}
    </p>
  )
}

interface ToEndButtonProps {
  hasNew: boolean
  onClick: () => void
}

function ToEndButton({ hasNew, onClick }: ToEndButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="absolute -top-12 left-1/2 flex h-9 -translate-x-1/2 animate-[appear_140ms_ease-out] items-center gap-2 rounded-full border bg-surface pr-4 pl-3 text-sm whitespace-nowrap shadow-float transition-colors hover:bg-hover"
    >
      <span className="relative">
        <ArrowDown size={18} />
        {hasNew && <span className="absolute -top-0.5 -right-1 size-2 rounded-full bg-accent-ink" />}
      </span>
      К последнему
      {hasNew && <span className="sr-only">, есть новое</span>}
    </button>
  )
}

export function ThreadSkeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-6 px-4 py-6">
      <Exchange />
      <Exchange />
    </div>
  )
}

function Exchange() {
  return (
    <>
      <Skeleton className="ml-auto h-12 w-2/5 rounded-lg" />
      <div className="flex flex-col gap-3">
        <Skeleton className="h-4" />
        <Skeleton className="h-4 w-11/12" />
        <Skeleton className="h-4 w-10/12" />
        <Skeleton className="h-4 w-3/5" />
      </div>
    </>
  )
}
