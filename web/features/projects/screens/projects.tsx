import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import type { ProjectRow } from '#contract/projects.ts'
import { createProject, NewProjectDialog, projectsQuery, useProjectEvents } from '#web/features/projects/queries.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Plus } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { ProjectIcon } from '#web/ui/project-icon.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export default function ProjectsScreen() {
  const [, navigate] = useLocation()
  const client = useQueryClient()
  const query = useQuery(projectsQuery)
  const [isMaking, setMaking] = useState(false)
  useProjectEvents('threads')
  const open = query.data?.filter(({ archived }) => !archived) ?? []
  const archived = query.data?.filter((project) => project.archived) ?? []
  const create = (
    <Button variant="primary" icon={<Plus size={18} />} onClick={() => setMaking(true)}>
      Новый проект
    </Button>
  )
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h1 className="text-2xl font-semibold">Проекты</h1>
          <p className="mt-1 max-w-2xl text-pretty text-muted">
            Чаты на одну тему с общими инструкциями и файлами: каждый вопрос в проекте получает их сам.
          </p>
        </div>
        {query.data && query.data.length > 0 && create}
      </header>
      {!query.data ? (
        query.isError ? (
          <QueryError query={query} />
        ) : (
          <Skeleton className="h-40 rounded-md" />
        )
      ) : query.data.length === 0 ? (
        <EmptyState
          glyph="folder"
          title="Проектов пока нет"
          text="Создайте проект, добавьте файлы и инструкции и начинайте в нём чаты."
          action={create}
        />
      ) : (
        <Projects label="Проекты" projects={open} />
      )}
      {archived.length > 0 && (
        <section aria-labelledby="archived-projects">
          <h2 id="archived-projects" className="mb-3 text-lg font-semibold">
            Архив
          </h2>
          <Projects label="Проекты в архиве" projects={archived} />
        </section>
      )}
      {isMaking && (
        <Suspense>
          <NewProjectDialog
            create={(draft) => createProject(client, draft)}
            onClose={() => setMaking(false)}
            onMade={({ id }) => navigate(paths.project(id))}
          />
        </Suspense>
      )}
    </div>
  )
}

function Projects({ label, projects }: { label: string; projects: ProjectRow[] }) {
  return (
    <ul aria-label={label} className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {projects.map(({ id, name, icon, chats }) => (
        <li key={id}>
          <Link
            href={paths.project(id)}
            className="flex items-center gap-3 rounded-md border bg-surface p-4 transition-colors hover:border-line-strong"
          >
            <ProjectIcon icon={icon} size={28} />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{name}</span>
              <span className="figures block text-sm text-muted">
                {chats === 0 ? 'Чатов пока нет' : `${formatNumber(chats)} ${plural(chats, 'чат', 'чата', 'чатов')}`}
              </span>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
