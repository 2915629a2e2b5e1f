import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { findScreen, screens } from '#contract/screens.ts'
import type { ThreadRow } from '#contract/threads.ts'
import { projectsQuery } from '#web/features/projects/queries.ts'
import { threadsQuery } from '#web/features/threads/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { formatTimeOrDay } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { Link } from '#web/ui/link.tsx'
import { ProjectIcon } from '#web/ui/project-icon.tsx'
import { draftKey, drafts } from '../state/drafts.ts'

const CHATS = 3
const PROJECTS = 3

/** What one can go on with: chats with words that were not sent, then the latest ones, and projects. */
export function LeftOff() {
  const userId = useSession()?.id ?? ''
  const { data: chats = [] } = useInfiniteQuery({
    ...threadsQuery('active'),
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  })
  const isDrafted = ({ id }: ThreadRow) => drafts().read(draftKey(userId, id)).text.trim() !== ''
  const shown = [...chats.filter(isDrafted), ...chats.filter((chat) => !isDrafted(chat))].slice(0, CHATS)
  return (
    <div className="flex animate-[appear_160ms_ease-out] flex-col gap-3">
      <nav aria-labelledby="left-off">
        <h2 id="left-off" className="px-3 pb-1 text-[13px] text-muted">
          Продолжить
        </h2>
        <ul>
          {shown.map((chat) => (
            <li key={chat.id}>
              <Link
                href={paths.thread(chat.id)}
                className="flex h-11 items-center gap-4 rounded-md px-3 transition-colors hover:bg-hover"
              >
                <span className="min-w-0 flex-1 truncate">{chat.title}</span>
                {isDrafted(chat) ? (
                  <span className="text-[13px] text-accent-ink">не отправлено</span>
                ) : (
                  <span className="figures text-[13px] text-muted">{formatTimeOrDay(chat.updatedAt)}</span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Projects />
    </div>
  )
}

/** The panel loads the same list. */
function Projects() {
  const { hasProjects = false } = useProfile().data ?? {}
  const { data = [] } = useQuery({
    ...projectsQuery,
    enabled: hasProjects && findScreen(screens.projects.path) !== null,
  })
  const open = data.filter(({ archived }) => !archived).slice(0, PROJECTS)
  if (open.length === 0) return null
  return (
    <ul aria-label="Проекты" className="-mx-4 -my-1 flex gap-2 overflow-x-auto no-scrollbar px-4 py-1">
      {open.map(({ id, name, icon }) => (
        <li key={id} className="max-w-56 shrink-0">
          <Link
            href={paths.project(id)}
            className="flex h-9 items-center gap-2 rounded-full border bg-surface px-3.5 text-[15px] text-muted transition-colors hover:border-line-strong hover:text-ink pointer-coarse:h-11"
          >
            <ProjectIcon icon={icon} size={18} />
            <span className="truncate">{name}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
