import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import type { ProjectRow } from '#contract/projects.ts'
import { findScreen } from '#contract/screens.ts'
import type { Thread } from '#contract/threads.ts'
import { projectsQuery, useProjectEvents } from '#web/features/projects/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { paths } from '#web/lib/paths.ts'
import { ChevronRight } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { ProjectIcon } from '#web/ui/project-icon.tsx'
import { useOpenThreadId } from './open-thread.ts'
import { threadsQuery } from './queries.ts'
import { listKey, type ThreadPages } from './thread-cache.ts'
import { rowsOf } from './thread-pages.ts'
import { rowMenuStyle, ThreadRow } from './thread-row.tsx'
import { useMoveThreads } from './use-move-threads.ts'
import { followRow, useRowKeys, useRowTools } from './use-row-tools.tsx'

/** How many chats of a project the panel shows. */
const SHOWN = 5

interface PanelProjectsProps {
  onNavigate?: (() => void) | undefined
  /** Shown until they are loaded. */
  place?: ReactNode
}

/** Projects above the days of the panel, folded; nothing without projects. */
export function PanelProjects({ onNavigate, place }: PanelProjectsProps) {
  const { data } = useQuery(projectsQuery)
  useProjectEvents()
  const heading = useId()
  const panel = useDropOutside()
  const shown = data?.filter(({ archived }) => !archived) ?? []
  if (!data) return place
  if (shown.length === 0) return null
  return (
    <div ref={panel} className="pt-4">
      <h2 id={heading} className="flex h-6 items-start px-2.5 text-[13px] text-muted">
        Проекты
      </h2>
      <ul aria-labelledby={heading} className="flex flex-col gap-px">
        {shown.map((project) => (
          <PanelProject key={project.id} project={project} onNavigate={onNavigate} />
        ))}
      </ul>
    </div>
  )
}

type OfProject = { project: ProjectRow } & Pick<PanelProjectsProps, 'onNavigate'>

function PanelProject({ project, onNavigate }: OfProject) {
  const { id, name, icon } = project
  const [isOpen, setOpen] = useState(false)
  const { isOver, ...drop } = useChatDrop(project)
  return (
    <li>
      <div
        {...drop}
        className={classNames(
          'flex h-9 items-center rounded-md transition-colors hover:bg-hover pointer-coarse:h-11',
          isOver && 'bg-accent-soft',
        )}
      >
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`Чаты проекта «${name}»`}
          onClick={() => setOpen(!isOpen)}
          className="grid size-8 shrink-0 place-items-center rounded-md text-muted focus-visible:-outline-offset-2 pointer-coarse:size-11"
        >
          <ChevronRight size={16} className={classNames('transition-transform', isOpen && 'rotate-90')} />
        </button>
        <Link
          href={paths.project(id)}
          draggable={false}
          onClick={onNavigate}
          className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-md pr-2.5 text-[15px] focus-visible:-outline-offset-2"
        >
          <ProjectIcon icon={icon} size={18} />
          <span className="truncate">{name}</span>
        </Link>
      </div>
      {isOpen && <ProjectChats project={project} onNavigate={onNavigate} />}
    </li>
  )
}

function ProjectChats({ project, onNavigate }: OfProject) {
  const { data } = useInfiniteQuery(threadsQuery('active', '', project.id))
  const rows = rowsOf(data?.pages ?? []).slice(0, SHOWN)
  const ids = rows.map(({ id }) => id)
  const openId = useOpenThreadId()
  const [renamingId, setRenamingId] = useState<string | null>(null)
  const { tabStopId, focusRow, listProps } = useRowKeys(ids, openId, setRenamingId)
  const tools = useRowTools({ rows, menuStyle: rowMenuStyle, focusRow, onRename: setRenamingId, onNavigate })
  if (!data) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: one handler serves the links of all rows
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click
    <div {...listProps} className="pl-5" onClick={(event) => followRow(event, onNavigate)}>
      <ul aria-label={`Последние чаты проекта «${project.name}»`} className="flex flex-col gap-px">
        {rows.map((thread) => (
          <ThreadRow
            key={thread.id}
            thread={thread}
            badge={undefined}
            hint={undefined}
            isOpen={thread.id === openId}
            isAnswering={false}
            isTabStop={thread.id === tabStopId}
            isRenaming={thread.id === renamingId}
            menu={tools.menuOf(thread)}
            onMenu={tools.onMenu}
            onRenamed={tools.onRenamed}
          />
        ))}
      </ul>
      {rows.length === 0 && <p className="px-2.5 py-1 text-sm text-muted">Чатов пока нет</p>}
      {tools.dialog}
    </div>
  )
}

const LINK = 'text/uri-list'

/** A chat is dragged by its link, as browsers do it with every link. */
function useChatDrop(project: ProjectRow) {
  const client = useQueryClient()
  const moveTo = useMoveThreads()
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes(LINK)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false)
      const thread = listedThread(client, event.dataTransfer.getData(LINK))
      if (!thread) return
      event.preventDefault()
      if (thread.projectId !== project.id) moveTo([thread], project)
    },
  }
}

/** A chat of a project that is dropped on the days below leaves it. */
function useDropOutside() {
  const client = useQueryClient()
  const moveTo = useMoveThreads()
  const drop = useEffectEvent((thread: Thread) => moveTo([thread], null))
  // A state: the part is in the page only when there are projects.
  const [projects, setProjects] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const panel = projects?.closest('nav')
    if (!projects || !panel) return
    const ends = new AbortController()
    const options = { signal: ends.signal }
    let dragged: Thread | undefined
    const isOutside = ({ target }: Event) => !(target instanceof Node && projects.contains(target))
    const mark = (isOver: boolean) => panel.classList.toggle('bg-accent-soft', isOver)
    panel.addEventListener(
      'dragstart',
      ({ target }) => {
        const link = target instanceof Element ? target.closest('a')?.href : undefined
        const thread = link ? listedThread(client, link) : undefined
        dragged = thread?.projectId ? thread : undefined
      },
      options,
    )
    panel.addEventListener(
      'dragover',
      (event) => {
        const isOver = dragged !== undefined && isOutside(event)
        if (isOver) event.preventDefault()
        mark(isOver)
      },
      options,
    )
    panel.addEventListener('dragleave', () => mark(false), options)
    panel.addEventListener(
      'drop',
      (event) => {
        mark(false)
        if (!dragged || !isOutside(event)) return
        event.preventDefault()
        drop(dragged)
      },
      options,
    )
    panel.addEventListener('dragend', () => mark(false), options)
    return () => ends.abort()
  }, [client, projects])
  return setProjects
}

function listedThread(client: QueryClient, link: string): Thread | undefined {
  const id = threadIdIn(link)
  const lists = client.getQueriesData<ThreadPages>({ queryKey: listKey('active').slice(0, 3) })
  return lists.flatMap(([, list]) => rowsOf(list?.pages ?? [])).find((row: Thread) => row.id === id)
}

/** Null for a link to anything else. */
export function threadIdIn(link: string): string | null {
  if (!URL.canParse(link)) return null
  const { origin, pathname } = new URL(link)
  const match = origin === location.origin ? findScreen(pathname) : null
  return match?.screen === 'threads-id' ? (match.params.id ?? null) : null
}
