import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useCallback, useEffect, useMemo } from 'react'
import { ApiError } from '#contract/errors.ts'
import { imageIdIn } from '#contract/image-address.ts'
import type { Thread, ThreadWithMessages } from '#contract/threads.ts'
import { DictationContext } from '#web/features/chat/composer/dictation.tsx'
import { focusComposer } from '#web/features/chat/composer/focus-composer.ts'
import { lastOnScreen } from '#web/features/chat/messages/skipped-rows.ts'
import { threadQuery } from '#web/features/chat/queries.ts'
import { preloadDelivery } from '#web/features/chat/sending/send.ts'
import { changeImageInDraft, draftKey, drafts, useDraft } from '#web/features/chat/state/drafts.ts'
import { useOutbox } from '#web/features/chat/state/outbox.ts'
import type { ThreadData } from '#web/features/chat/state/thread-data.ts'
import { ThreadSkeleton, ThreadView } from '#web/features/chat/thread/thread-view.tsx'
import { rememberThread } from '#web/features/threads/open-thread.ts'
import { TemporaryNote, TemporaryTools } from '#web/features/threads/temporary-chat.tsx'
import { ThreadHeader } from '#web/features/threads/thread-header.tsx'
import { callErrorText } from '#web/lib/error-text.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { firstThread } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Emblem } from '#web/ui/emblem.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { Bot } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { parseAhead, preloadMarkdown } from '#web/ui/markdown/markdown-part.tsx'
import { OwnImageContext, type ShowOwnImage } from '#web/ui/markdown/own-image.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { dictation } from './dictation.ts'

/** The text in the layout of the page must not become plain text for a moment. Parsed here, it holds nothing up. */
export async function ready(): Promise<void> {
  await preloadMarkdown()
  const onScreen = lastOnScreen(firstThread()?.Messages ?? [])
  await parseAhead(onScreen.filter(({ role }) => role === 'assistant').map(({ content }) => content))
}

export default function ThreadScreen({ params }: { params: Record<string, string> }) {
  const id = params.id ?? ''
  const client = useQueryClient()
  // A thread that is still in the outbox cannot be fetched yet.
  const waiting = useOutbox()
  // biome-ignore lint/correctness/useExhaustiveDependencies: threadQuery reads the outbox
  const options = useMemo(() => threadQuery(client, id), [client, id, waiting])
  const query = useQuery(options)
  const { data: head } = useQuery({ ...options, select: headOf })
  useTitle(head?.title)
  useRememberThread(head)
  useEffect(preloadDelivery, [])
  const showImage = useThreadImages(head)

  if (query.isError && !query.data) return <ThreadFailure query={query} />
  return (
    <>
      {head && (
        <ThreadHeader
          thread={head}
          lead={
            <>
              {head.Project && (
                <Suspense>
                  <ProjectLink project={head.Project} />
                </Suspense>
              )}
              <ThreadAssistant thread={head} />
            </>
          }
          tools={
            head.temporary && (
              <TemporaryTools thread={head} onEnd={() => drafts().clear(draftKey(head.User.id, head.id))} />
            )
          }
        />
      )}
      {head?.temporary && <TemporaryNote />}
      {query.data ? (
        <OwnImageContext value={showImage}>
          <DictationContext value={dictation}>
            <ThreadView data={query.data} />
          </DictationContext>
        </OwnImageContext>
      ) : (
        <div className="mx-auto w-full max-w-[792px] flex-1">
          {query.isPaused ? <WithoutNetwork threadId={id} /> : <ThreadSkeleton />}
        </div>
      )}
    </>
  )
}

/** A failed server or network does not mean that the chat is gone: the page for a missing one is for 403 and 404. */
function ThreadFailure({ query }: { query: { error: Error; isFetching: boolean; refetch: () => unknown } }) {
  const status = query.error instanceof ApiError ? query.error.status : 500
  if (status === 403 || status === 404) return <ErrorText title="404" text="У вас нет беседы с таким ID" />
  return (
    <ErrorText title={status === 0 ? 'Нет связи' : String(status)} text="Чат сейчас не открывается, но он на месте.">
      <p className="text-pretty">{callErrorText(query.error)}</p>
      <Button variant="primary" busy={query.isFetching} onClick={() => void query.refetch()}>
        Повторить
      </Button>
    </ErrorText>
  )
}

/** Shown when the page is opened offline: the chat is on the server, but an unsent text is in this browser. */
function WithoutNetwork({ threadId }: { threadId: string }) {
  const { text } = useDraft(draftKey(useSession()?.id ?? '', threadId))
  return (
    <div className="flex flex-col gap-4 px-4 py-10 text-pretty text-muted">
      <p>Чат откроется сам, как только появится интернет.</p>
      {text && (
        <>
          <p>Ваше неотправленное сообщение сохранено:</p>
          <p className="rounded-lg border bg-surface px-4 py-3 whitespace-pre-wrap text-ink wrap-anywhere">{text}</p>
        </>
      )}
    </div>
  )
}

type Head = Omit<ThreadWithMessages, 'Messages'>

/** The thread without messages: unchanged while an answer streams in. */
function headOf({ Messages: _, olderCursor: __, ...thread }: ThreadData): Head {
  return thread
}

/** Remembers the open chat for links from other screens. */
function useRememberThread(thread: Thread | undefined) {
  const id = thread?.temporary ? undefined : thread?.id
  const userId = thread?.User.id
  useEffect(() => {
    if (userId && id) rememberThread(userId, id)
  }, [userId, id])
}

function ThreadAssistant({ thread }: { thread: Pick<ThreadWithMessages, 'assistantId' | 'Assistant'> }) {
  const { assistantId, Assistant } = thread
  if (Assistant)
    return (
      <Link
        href={paths.assistantEdit(Assistant.id)}
        title={`Ассистент «${Assistant.name}»`}
        className="flex max-w-[40%] shrink-0 items-center gap-2 rounded-sm py-1 pr-2 pl-1 text-sm text-muted transition-colors hover:bg-hover hover:text-ink"
      >
        <Emblem value={Assistant.avatar} size={26} />
        <span className="truncate max-sm:sr-only">{Assistant.name}</span>
      </Link>
    )
  if (assistantId === null) return null
  return (
    <span className="flex shrink-0 items-center gap-1.5 px-1 text-sm text-muted" title="Чат идёт дальше без него">
      <Bot size={18} aria-hidden="true" />
      Ассистент удалён
    </span>
  )
}

const ProjectLink = lazyComponent(async () => (await import('#web/features/projects/project-link.tsx')).ProjectLink)

const ChatImage = lazyComponent(async () => (await import('#web/features/images/chat-image.tsx')).ChatImage)

/** Renders images drawn in a chat; loaded with the first one. */
function useThreadImages(thread: Thread | undefined): ShowOwnImage {
  const threadId = thread?.id ?? ''
  const userId = thread?.User.id ?? ''
  return useCallback(
    (src, alt) => {
      const id = imageIdIn(src)
      if (!id) return null
      const change = () => {
        changeImageInDraft(userId, threadId, id)
        focusComposer()
      }
      return (
        <Suspense fallback={<Skeleton className="aspect-square w-full max-w-lg rounded-md" />}>
          <ChatImage id={id} alt={alt} onChange={change} />
        </Suspense>
      )
    },
    [threadId, userId],
  )
}
