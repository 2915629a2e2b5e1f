import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import type { Thread } from '#contract/threads.ts'
import { createProject, NewProjectDialog, projectsQuery } from '#web/features/projects/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Check, Plus } from '#web/ui/icons.ts'
import { ProjectIcon } from '#web/ui/project-icon.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useMoveThreads } from './use-move-threads.ts'

interface MoveDialogProps {
  threads: Thread[]
  onClose: () => void
}

/** Moves chats into a project, or out of it. */
export function MoveDialog({ threads, onClose }: MoveDialogProps) {
  const client = useQueryClient()
  const query = useQuery(projectsQuery)
  const moveTo = useMoveThreads()
  const [isMaking, setMaking] = useState(false)
  const current = new Set(threads.map(({ projectId }) => projectId ?? null))
  const only = current.size === 1 ? [...current][0] : undefined

  function choose(project: { id: string; name: string } | null) {
    onClose()
    moveTo(threads, project)
  }

  if (isMaking)
    return (
      <Suspense>
        <NewProjectDialog create={(draft) => createProject(client, draft)} onClose={onClose} onMade={choose} />
      </Suspense>
    )
  return (
    <Dialog open onClose={onClose} title="В какой проект?">
      {query.data ? (
        <ul className="flex flex-col gap-1">
          {query.data
            .filter(({ id, archived }) => !archived || id === only)
            .map((project) => (
              <Choice key={project.id} isCurrent={project.id === only} onClick={() => choose(project)}>
                <ProjectIcon icon={project.icon} />
                <span className="min-w-0 flex-1 truncate">{project.name}</span>
              </Choice>
            ))}
          {only !== null && (
            <Choice isCurrent={false} onClick={() => choose(null)}>
              <span className="min-w-0 flex-1 pl-8">Без проекта</span>
            </Choice>
          )}
        </ul>
      ) : query.isError ? (
        <QueryError query={query} />
      ) : (
        <Skeleton className="h-24" />
      )}
      <Button className="mt-3" icon={<Plus size={18} />} onClick={() => setMaking(true)}>
        Новый проект
      </Button>
    </Dialog>
  )
}

interface ChoiceProps {
  isCurrent: boolean
  onClick: () => void
  children: ReactNode
}

function Choice({ isCurrent, onClick, children }: ChoiceProps) {
  return (
    <li>
      <button
        type="button"
        disabled={isCurrent}
        onClick={onClick}
        className={classNames(
          'flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-left transition-colors',
          isCurrent ? 'bg-accent-soft' : 'hover:bg-hover',
        )}
      >
        {children}
        {isCurrent && <Check size={18} aria-label="Чат здесь" />}
      </button>
    </li>
  )
}
