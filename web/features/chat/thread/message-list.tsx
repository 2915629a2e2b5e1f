import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  Fragment,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Summary } from '#contract/summaries.ts'
import type { Message } from '#contract/threads.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { MessageRow } from '../messages/message-row.tsx'
import { FIRST_ROWS, lastOnScreen, useAllRows } from '../messages/skipped-rows.ts'
import { AwaitedThought } from '../messages/thought.tsx'
import { loadOlder } from '../queries.ts'
import type { Row, ThreadRows } from './rows.ts'
import type { ScrollAnchor } from './scroll-anchor.ts'
import { wantsMessage } from './use-found-message.ts'
import { savedPosition } from './use-scroll-anchor.ts'

interface MessageListProps {
  threadId: string
  shown: ThreadRows
  summaries: Summary[]
  hasOlder: boolean
  litId: string | null
  anchor: ScrollAnchor
}

const SummaryRow = lazyComponent(async () => (await import('../summaries/summary-row.tsx')).SummaryRow)

export function MessageList({ threadId, shown, summaries, hasOlder, litId, anchor }: MessageListProps) {
  const { rows, isThinking } = shown
  const authorOf = useAuthors()
  const recent = useRecent(threadId, rows)
  const areAll = useAllRows(!wantsMessage() && !savedPosition(threadId))
  const from = areAll ? 0 : Math.max(0, rows.length - FIRST_ROWS)
  const older = useOlder(threadId, areAll ? rows[0]?.message.id : undefined, anchor)
  return (
    // The live region announces answers, so the log itself is silent.
    <section role="log" aria-live="off" aria-label="Сообщения чата">
      {hasOlder && areAll && <OlderEdge {...older} />}
      <ol className="flex flex-col">
        {rows.slice(from).map(({ message, outgoing }, i) => (
          <Fragment key={message.id}>
            <MessageRow
              message={message}
              author={authorOf(message)}
              outgoing={outgoing}
              isLast={from + i === rows.length - 1 && !isThinking}
              isRecent={from + i >= rows.length - recent}
              isLit={message.id === litId}
            />
            {summaries.map(
              (summary) =>
                summary.coversUntil === message.id && (
                  <Suspense key={summary.id}>
                    <SummaryRow threadId={threadId} summary={summary} />
                  </Suspense>
                ),
            )}
          </Fragment>
        ))}
      </ol>
      {isThinking && (
        <div className="px-4 py-2">
          <AwaitedThought threadId={threadId} />
        </div>
      )}
    </section>
  )
}

/** How many of the last messages are rendered in full at once. Counted when the chat opens: its texts grow later. */
function useRecent(threadId: string, rows: readonly Row[]): number {
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(() => Math.max(2, lastOnScreen(rows.map(({ message }) => message)).length), [threadId])
}

/** One query for all rows, because a chat may have a hundred of them. */
function useAuthors(): (message: Message) => string {
  const { data: models } = useQuery(modelsQuery)
  return ({ role, modelId }) => (role === 'user' ? 'Вы' : (models?.find(({ id }) => id === modelId)?.name ?? 'Ответ'))
}

/** Earlier messages are loaded this far before the first loaded one comes into view. */
const LOAD_AHEAD = '1200px 0px 0px'

function useOlder(threadId: string, firstId: string | undefined, anchor: ScrollAnchor) {
  const client = useQueryClient()
  const sentinel = useRef<HTMLDivElement>(null)
  const isBusy = useRef(false)
  const [state, setState] = useState<OlderState>('idle')

  const load = useCallback(async () => {
    if (isBusy.current) return
    isBusy.current = true
    setState('loading')
    try {
      await loadOlder(client, threadId, anchor.beforePrepend)
      setState('idle')
    } catch (error) {
      setState({ failed: callErrorText(error) })
    }
    isBusy.current = false
  }, [client, threadId, anchor])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new first message means that a page was added
  useLayoutEffect(anchor.afterPrepend, [firstId])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new observer reports a sentinel that is still in view
  useEffect(() => {
    const element = sentinel.current
    if (!element) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) void load()
      },
      { rootMargin: LOAD_AHEAD },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [load, firstId])

  return { sentinel, state, load }
}

/** Of earlier messages; with the reason when they did not load. */
type OlderState = 'idle' | 'loading' | { failed: string }

interface OlderEdgeProps {
  sentinel: RefObject<HTMLDivElement | null>
  state: OlderState
  load: () => Promise<void>
}

function OlderEdge({ sentinel, state, load }: OlderEdgeProps) {
  return (
    <div ref={sentinel} className="px-4 py-3">
      <p className="hidden text-sm text-muted print:block">Более ранние сообщения не напечатаны.</p>
      <div data-screen-only className="min-h-16">
        {typeof state === 'object' && (
          <div role="alert" className="flex flex-wrap items-center justify-center gap-3 text-sm text-muted">
            Более ранние сообщения не загрузились. {state.failed}
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
