import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { ApiError } from '#contract/errors.ts'
import type { Thread, ThreadWithMessages } from '#contract/threads.ts'
import { preloadDelivery } from '#web/features/chat/outbox/use-delivery.ts'
import { threadQuery } from '#web/features/chat/queries.ts'
import type { ThreadData } from '#web/features/chat/thread/thread-data.ts'
import { ThreadSkeleton } from '#web/features/chat/thread/thread-skeleton.tsx'
import { ThreadView } from '#web/features/chat/thread/thread-view.tsx'
import { ThreadHeader } from '#web/features/threads/thread-header.tsx'
import { rememberThread } from '#web/lib/last-thread.ts'
import { useOutbox } from '#web/lib/outbox.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { preloadMarkdown } from '#web/ui/markdown/markdown-part.tsx'
import { OwnImageContext } from '#web/ui/markdown/own-image.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { ThreadAssistantSign } from './thread/assistant-sign.tsx'
import { showThreadPicture } from './thread-picture.tsx'

export function ThreadScreen({ params }: { params: Record<string, string> }) {
  const id = params.id ?? ''
  const client = useQueryClient()
  // What is on its way decides whether there is anything to read yet.
  const waiting = useOutbox()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query looks into the outbox itself
  const options = useMemo(() => threadQuery(client, id), [client, id, waiting])
  const query = useQuery(options)
  const { data: head } = useQuery({ ...options, select: headOf })
  useTitle(head?.title)
  useRemembered(head)
  useEffect(preloadDelivery, [])
  useEffect(preloadMarkdown, [])

  if (query.error instanceof ApiError && query.error.status === 404) throw missing
  return (
    <>
      {head && <ThreadHeader thread={head} lead={<ThreadAssistantSign thread={head} />} />}
      {query.data ? (
        <OwnImageContext value={showThreadPicture}>
          <ThreadView data={query.data} />
        </OwnImageContext>
      ) : (
        <div className="mx-auto w-full max-w-[792px] flex-1">
          {query.isError ? (
            <div className="p-4">
              <QueryError query={query} />
            </div>
          ) : (
            <ThreadSkeleton />
          )}
        </div>
      )}
    </>
  )
}

const missing = new ApiError({ status: 404, code: 'not_found', message: 'У вас нет беседы с таким ID' })

type Head = Omit<ThreadWithMessages, 'Messages'>

/** All but the messages: while an answer grows, this stays the same. */
function headOf({ Messages: _, olderCursor: __, ...thread }: ThreadData): Head {
  return thread
}

/** So that one comes back to it from elsewhere. */
function useRemembered(thread: Thread | undefined) {
  const id = thread?.id
  const userId = thread?.User.id
  useEffect(() => {
    if (userId && id) rememberThread(userId, id)
  }, [userId, id])
}

/** After the router, which names the tab by the screen in the same round of effects. */
function useTitle(title: string | undefined) {
  useEffect(() => {
    if (!title) return
    queueMicrotask(() => {
      document.title = `${title} · ${pageConfig().appName}`
    })
  }, [title])
}
