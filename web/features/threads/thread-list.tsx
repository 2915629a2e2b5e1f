import { useInfiniteQuery } from '@tanstack/react-query'
import { startTransition, useEffect, useId, useMemo, useState, useSyncExternalStore } from 'react'
import type { ThreadRow as Row } from '#contract/threads.ts'
import { formatTimeOrDay } from '#web/lib/format.ts'
import { isPageShown } from '#web/lib/shell.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ListLoadError, LoadMore } from './load-more.tsx'
import { useOpenThreadId } from './open-thread.ts'
import { threadsQuery, useAssistantBadges } from './queries.ts'
import { groupByDay, startOfDay } from './thread-dates.ts'
import { rowsOf } from './thread-pages.ts'
import { rowMenuStyle, ThreadRow } from './thread-row.tsx'
import { followRow, useRowKeys, useRowTools } from './use-row-tools.tsx'

interface ThreadListProps {
  answering: Answering
  /** A thread was opened: the panel closes on a phone. */
  onNavigate?: () => void
}

export function ThreadList({ answering, onNavigate }: ThreadListProps) {
  const list = useInfiniteQuery(threadsQuery('active'))
  const isShown = usePageShown()
  const all = useMemo(() => rowsOf(list.data?.pages ?? []), [list.data])
  // Chats of projects are in the part above; pinned ones stay here too.
  const rows = useMemo(() => all.filter(({ projectId, pinned }) => !projectId || pinned), [all])
  if (!list.data) return list.isError ? <ListLoadError query={list} /> : <Loading />
  if (all.length === 0 && !list.hasNextPage)
    return (
      <p className="px-2.5 pt-4 text-pretty text-sm text-muted">Здесь появятся ваши чаты. Напишите первый вопрос.</p>
    )
  if (!isShown) return <Loading />
  return (
    <>
      <ThreadGroups rows={rows} answering={answering} onNavigate={onNavigate} />
      <LoadMore list={list} />
    </>
  )
}

/** False while the page starts: forty chats rendered with it would hold up the field and the messages. */
function usePageShown(): boolean {
  const [isShown, setShown] = useState(isPageShown)
  useEffect(() => startTransition(() => setShown(true)), [])
  return isShown
}

const widths = ['w-3/4', 'w-1/2', 'w-2/3', 'w-5/6', 'w-3/5', 'w-2/5']

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-4 px-2.5 pt-5">
      {widths.map((width) => (
        <Skeleton key={width} className={`h-5 ${width}`} />
      ))}
    </div>
  )
}

/** Which threads have an answer running in this window. */
interface Answering {
  subscribe: (onChange: () => void) => () => void
  isAnswering: (id: string) => boolean
}

interface ThreadGroupsProps {
  rows: Row[]
  answering: Answering
  onNavigate: (() => void) | undefined
}

function ThreadGroups({ rows, answering, onNavigate }: ThreadGroupsProps) {
  const today = useToday()
  const groups = useMemo(() => groupByDay(rows, today), [rows, today])
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const openId = useOpenThreadId()
  const headings = useId()
  const answeringIds = useAnsweringIds(ids, answering)
  const [renamingId, setRenamingId] = useState<string | null>(null)
  const { tabStopId, focusRow, listProps } = useRowKeys(ids, openId, setRenamingId)
  const badges = useAssistantBadges(rows)
  const hints = useMemo(() => hintsOf(rows), [rows])
  const tools = useRowTools({ rows, menuStyle: rowMenuStyle, focusRow, onRename: setRenamingId, onNavigate })

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: one handler serves the links of thousands of rows
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
    <div {...listProps} onClick={(event) => followRow(event, onNavigate)}>
      {groups.map(({ title, rows: rowsOfDay }, index) => (
        <div key={title} className="pt-4">
          <h2 id={`${headings}-${index}`} className="sticky top-0 z-10 bg-panel px-2.5 pb-1 text-[13px] text-muted">
            {title}
          </h2>
          <ul aria-labelledby={`${headings}-${index}`} className="flex flex-col gap-px">
            {rowsOfDay.map((thread) => (
              <ThreadRow
                key={thread.id}
                thread={thread}
                badge={badges.get(thread.assistantId ?? '')}
                hint={hints.get(thread.id)}
                isOpen={thread.id === openId}
                isAnswering={answeringIds.has(thread.id)}
                isTabStop={thread.id === tabStopId}
                isRenaming={thread.id === renamingId}
                menu={tools.menuOf(thread)}
                onMenu={tools.onMenu}
                onRenamed={tools.onRenamed}
              />
            ))}
          </ul>
        </div>
      ))}
      {tools.dialog}
    </div>
  )
}

function useAnsweringIds(ids: string[], { subscribe, isAnswering }: Answering): ReadonlySet<string> {
  // A string: the snapshot must be equal while nothing changes.
  const text = useSyncExternalStore(subscribe, () => ids.filter(isAnswering).join(' '))
  return useMemo(() => new Set(text.split(' ')), [text])
}

const POLL_MS = 60_000

/** Midnight of the current day; updated by a timer and when the page becomes visible. */
function useToday(): Date {
  const [today, setToday] = useState(() => startOfDay(new Date()))
  useEffect(() => {
    function update() {
      const now = startOfDay(new Date())
      setToday((before) => (before.getTime() === now.getTime() ? before : now))
    }
    const timer = setInterval(update, POLL_MS)
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [])
  return today
}

/** A second line for chats of one name: when they were written in, and how they began. */
function hintsOf(rows: readonly Row[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  for (const { title } of rows) counts.set(title, (counts.get(title) ?? 0) + 1)
  const twins = rows.filter(({ title }) => (counts.get(title) ?? 0) > 1)
  return new Map(
    twins.map(({ id, updatedAt, firstWords }) => [
      id,
      [formatTimeOrDay(updatedAt), firstWords].filter(Boolean).join(' · '),
    ]),
  )
}
