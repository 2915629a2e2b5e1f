import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Assistant } from '#contract/assistants.ts'
import type { HelpSearchResult } from '#contract/help.ts'
import type { ProjectRow } from '#contract/projects.ts'
import { findScreen, screens } from '#contract/screens.ts'
import type { ThreadRow } from '#contract/threads.ts'
import { assistantsQuery } from '#web/features/assistants/queries.ts'
import { useHelpSearch } from '#web/features/help/queries.ts'
import { projectsQuery } from '#web/features/projects/queries.ts'
import { threadsQuery, useFoundThreads } from '#web/features/threads/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { formatTimeOrDay } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Bot, CircleQuestionMark, FolderOpen, MessageSquare } from '#web/ui/icons.ts'
import { type Command, type PaletteItem, type PaletteSection, plain } from './palette-items.ts'
import { rank } from './ranking.ts'

const PAUSE_MS = 150
const RECENT = 6
const COMMANDS = 5
const PROJECTS = 3
const ASSISTANTS = 3
const HELP = 3

interface Sources {
  commands: Command[]
  go: (address: string) => void
}

/** Sections for the query. Pages and actions need no request and stay on top, so that rows do not move. */
export function useSections(typed: string, { commands, go }: Sources) {
  const query = typed.trim()
  const wanted = useDebounced(query, PAUSE_MS)
  const recent = useInfiniteQuery(threadsQuery('active'))
  const threads = useFoundThreads(wanted)
  const help = useHelpSearch(wanted)
  const { data: assistants = [] } = useQuery(assistantsQuery)
  const { data: profile } = useProfile()
  const { data: projects = [] } = useQuery({
    ...projectsQuery,
    enabled: profile?.hasProjects === true && findScreen(screens.projects.path) !== null,
  })
  const isSearching = query !== '' && (query !== wanted || threads.isFetching || help.isFetching)
  const failed = (query === '' ? [recent] : [threads, help]).filter(({ isError }) => isError)

  const sections: PaletteSection[] =
    query === ''
      ? [
          {
            title: 'Недавние чаты',
            items: newest(recent.data?.pages[0]?.items ?? []).map((row) => threadItem(row, assistants, go)),
          },
          { title: 'Действия и страницы', items: commands.map(commandItem) },
        ]
      : [
          { title: 'Действия и страницы', items: rank(commands, query).slice(0, COMMANDS).map(commandItem) },
          { title: 'Проекты', items: foundProjects(projects, query).map((one) => projectItem(one, go)) },
          { title: 'Ассистенты', items: foundAssistants(assistants, query).map((one) => assistantItem(one, go)) },
          { title: 'Чаты', items: (threads.data ?? []).map((row) => threadItem(row, assistants, go)) },
          { title: 'Помощь', items: (help.data ?? []).slice(0, HELP).map((page) => helpItem(page, go)) },
        ]
  return {
    sections: sections.filter(({ items }) => items.length > 0),
    isSearching,
    error: failed[0]?.error ?? null,
    retry: () => failed.map(({ refetch }) => refetch()),
  }
}

function newest(rows: ThreadRow[]): ThreadRow[] {
  return rows.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)).slice(0, RECENT)
}

function threadItem(thread: ThreadRow, assistants: readonly Assistant[], go: Sources['go']): PaletteItem {
  const { id, title, updatedAt, found, firstWords, assistantId } = thread
  const isInTitle = found?.messageId === null
  return {
    id: `thread-${id}`,
    Icon: MessageSquare,
    emblem: assistants.find((assistant) => assistant.id === assistantId)?.avatar,
    title: isInTitle ? found.fragment : plain(title),
    fragment: found && !isInTitle ? found.fragment : firstWords ? plain(firstWords) : [],
    note: formatTimeOrDay(updatedAt),
    run: () => go(paths.thread(id, found?.messageId)),
  }
}

function foundAssistants(assistants: Assistant[], query: string): Assistant[] {
  const findable = assistants.map((assistant) => ({
    assistant,
    title: assistant.name,
    keywords: assistant.description,
  }))
  return rank(findable, query)
    .slice(0, ASSISTANTS)
    .map(({ assistant }) => assistant)
}

function assistantItem({ id, name, avatar }: Assistant, go: Sources['go']): PaletteItem {
  return {
    id: `assistant-${id}`,
    Icon: Bot,
    emblem: avatar,
    title: plain(name),
    fragment: [],
    note: 'Начать чат',
    run: () => go(paths.assistantChat(id)),
  }
}

function foundProjects(projects: ProjectRow[], query: string): ProjectRow[] {
  const findable = projects.map((project) => ({ project, title: project.name, keywords: '' }))
  return rank(findable, query)
    .slice(0, PROJECTS)
    .map(({ project }) => project)
}

function projectItem({ id, name, icon, archived }: ProjectRow, go: Sources['go']): PaletteItem {
  return {
    id: `project-${id}`,
    Icon: FolderOpen,
    emblem: /^[a-z]+$/.test(icon) ? undefined : icon,
    title: plain(name),
    fragment: [],
    note: archived ? 'В архиве' : 'Проект',
    run: () => go(paths.project(id)),
  }
}

function helpItem({ slug, title, heading, fragment, forAdmins }: HelpSearchResult, go: Sources['go']): PaletteItem {
  const address = paths.help(slug)
  return {
    id: `help-${slug}`,
    Icon: CircleQuestionMark,
    title: plain(heading ? `${title} · ${heading.text}` : title),
    fragment,
    note: forAdmins ? 'Владельцу' : '',
    run: () => go(heading ? `${address}#${heading.id}` : address),
  }
}

function commandItem({ id, title, note = '', Icon, run }: Command): PaletteItem {
  return { id: `command-${id}`, Icon, title: plain(title), fragment: [], note, run }
}

/** The value after it has not changed for `pauseMs`; an empty one at once. */
function useDebounced(value: string, pauseMs: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === '' ? 0 : pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
