import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { TRASH_DAYS } from '#contract/threads.ts'
import { paths } from '#web/lib/paths.ts'
import { optionParam, type StateOf, textParam } from '#web/lib/url-state.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ListLoadError, LoadMore } from './load-more.tsx'
import { threadsQuery } from './queries.ts'
import { TableRows } from './table-rows.tsx'
import { rowsOf } from './thread-pages.ts'

export const threadsParams = { view: optionParam(['active', 'archived', 'trash']), query: textParam() }
type ThreadsFilter = StateOf<typeof threadsParams>

interface ThreadTableProps {
  filter: ThreadsFilter
  /** Only chats of this project. */
  project?: string
  onFilter: (filter: ThreadsFilter) => void
}

export function ThreadTable({ filter, project, onFilter }: ThreadTableProps) {
  const { view, query } = filter
  const list = useInfiniteQuery(threadsQuery(view, query, project))
  const rows = useMemo(() => rowsOf(list.data?.pages ?? []), [list.data])
  if (!list.data) return list.isError ? <ListLoadError query={list} /> : <Loading />
  if (rows.length === 0 && !list.hasNextPage)
    return <NoThreads filter={filter} isProject={project !== undefined} onFilter={onFilter} />
  return (
    <div className="flex flex-col" aria-busy={list.isPlaceholderData || undefined}>
      <TableRows key={view} view={view} rows={rows} />
      <LoadMore list={list} />
    </div>
  )
}

function Loading() {
  return (
    <div aria-busy="true" className="flex flex-col gap-2 pt-11">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} className="h-15" />
      ))}
    </div>
  )
}

interface NoThreadsProps {
  filter: ThreadsFilter
  isProject: boolean
  onFilter: (filter: ThreadsFilter) => void
}

function NoThreads({ filter, isProject, onFilter }: NoThreadsProps) {
  const { view, query } = filter
  if (query !== '')
    return (
      <EmptyState
        glyph="search"
        title="Ничего не нашлось"
        text={`По словам «${query}» здесь чатов нет. Попробуйте другие слова.`}
        action={
          <>
            <Button onClick={() => onFilter({ view, query: '' })}>Показать все</Button>
            {view === 'active' && (
              <Button variant="ghost" onClick={() => onFilter({ view: 'archived', query })}>
                Искать в архиве
              </Button>
            )}
          </>
        }
      />
    )
  if (view === 'archived')
    return (
      <EmptyState
        glyph="archive"
        title="Архив пуст"
        text="Уберите сюда чаты, которые пока не нужны: они исчезнут из списка, но останутся целы."
        action={<Button onClick={() => onFilter({ view: 'active', query: '' })}>К активным чатам</Button>}
      />
    )
  if (view === 'trash')
    return (
      <EmptyState
        glyph="trash"
        title="Корзина пуста"
        text={`Удалённые чаты ждут здесь ${TRASH_DAYS} дней, и любой можно вернуть.`}
        action={<Button onClick={() => onFilter({ view: 'active', query: '' })}>К активным чатам</Button>}
      />
    )
  if (isProject)
    return (
      <EmptyState
        glyph="chats"
        title="Чатов пока нет"
        text="Начните новый чат здесь или переместите готовый: «В проект…» в меню чата."
      />
    )
  return (
    <EmptyState
      glyph="chats"
      title="Чатов пока нет"
      text="Напишите первый вопрос, и чат появится здесь."
      action={
        <ButtonLink href={paths.home()} variant="primary">
          Новый чат
        </ButtonLink>
      }
    />
  )
}
