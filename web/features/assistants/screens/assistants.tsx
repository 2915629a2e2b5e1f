import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { Assistant } from '#contract/assistants.ts'
import { AssistantGrid } from '#web/features/assistants/assistant-grid.tsx'
import { AssistantExamples, EmptyAssistants } from '#web/features/assistants/empty-assistants.tsx'
import { assistantsQuery, deleteAssistant, useAssistantEvents } from '#web/features/assistants/queries.ts'
import { paths } from '#web/lib/paths.ts'
import { undoable, usePendingRemovals } from '#web/lib/undoable.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Plus } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export default function AssistantsScreen() {
  const [, navigate] = useLocation()
  const client = useQueryClient()
  const query = useQuery(assistantsQuery)
  const pendingRemovals = usePendingRemovals()
  useAssistantEvents()
  const shown = query.data?.filter(({ id }) => !pendingRemovals.has(id))

  function remove({ id, name }: Assistant) {
    undoable({
      id,
      title: `Ассистент «${name}» удалён. Чаты с ним остались`,
      action: () => deleteAssistant(client, id),
      failed: 'Ассистент не удалён',
    })
  }

  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h1 className="text-2xl font-semibold">Ассистенты</h1>
          <p className="mt-1 max-w-2xl text-pretty text-muted">
            Модели с вашими правилами и файлами. Настройте один раз и начинайте чат одним нажатием.
          </p>
        </div>
        <ButtonLink href={paths.assistantCreate()} variant="primary" icon={<Plus size={18} />}>
          Новый ассистент
        </ButtonLink>
      </header>
      {shown ? (
        shown.length > 0 ? (
          <>
            <AssistantGrid assistants={shown} onNavigate={navigate} onDelete={remove} />
            <AssistantExamples />
          </>
        ) : (
          <EmptyAssistants />
        )
      ) : query.isError ? (
        <QueryError query={query} />
      ) : (
        <div aria-busy="true" className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {['first', 'second', 'third'].map((key) => (
            <Skeleton key={key} className="h-40 rounded-md" />
          ))}
        </div>
      )}
    </div>
  )
}
