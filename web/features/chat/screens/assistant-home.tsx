import { useQuery } from '@tanstack/react-query'
import { AssistantGreeting, StarterChips } from '#web/features/assistants/assistant-greeting.tsx'
import { assistantQuery } from '#web/features/assistants/queries.ts'
import { HomeComposer } from '#web/features/chat/home/home-composer.tsx'
import { paths } from '#web/lib/paths.ts'
import { ItemNotFound } from '#web/ui/form/form-loading.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface AssistantHomeProps {
  id: string
  onBegin: (threadId: string) => void
  onPick: (text: string) => void
}

export function AssistantHome({ id, onBegin, onPick }: AssistantHomeProps) {
  const query = useQuery(assistantQuery(id))
  const assistant = query.data
  if (assistant === null)
    return <ItemNotFound title="Такого ассистента нет" back={{ label: 'К ассистентам', href: paths.assistants() }} />
  return (
    <>
      <div className="flex flex-1 flex-col items-center justify-center gap-6 py-6 frame:flex-none">
        {assistant ? (
          <AssistantGreeting assistant={assistant} />
        ) : query.isError ? (
          <QueryError query={query} />
        ) : (
          <div aria-busy="true" className="flex flex-col items-center gap-3">
            <Skeleton className="size-18 rounded-[28%]" />
            <Skeleton className="h-8 w-48" />
            <Skeleton className="h-5 w-64" />
          </div>
        )}
        <div className="frame:hidden">
          <StarterChips starters={assistant?.starters ?? []} onPick={onPick} />
        </div>
      </div>
      <div className="sticky bottom-0 bg-page pb-[max(0.5rem,env(safe-area-inset-bottom))] frame:static">
        {assistant && (
          <HomeComposer
            key={id}
            assistant={{
              ...{ id, symbols: assistant.symbols, country: assistant.country },
              modelId: assistant.Model?.id ?? null,
            }}
            onBegin={onBegin}
          />
        )}
      </div>
      <div className="mt-4 hidden frame:block">
        <StarterChips starters={assistant?.starters ?? []} onPick={onPick} />
      </div>
    </>
  )
}
