import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import type { Prompt } from '#contract/prompts.ts'
import { PromptForm } from '#web/features/prompts/prompt-form.tsx'
import { knownPrompt, promptQuery, useChangePrompt } from '#web/features/prompts/queries.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { useScreenSearch } from '#web/lib/url-state.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { Button } from '#web/ui/button.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ShowPrompt } from './show-prompt.tsx'

export default function PromptScreen({ params }: { params: Record<string, string> }) {
  const [search, setSearch] = useScreenSearch()
  const id = params.id ?? ''
  const client = useQueryClient()
  const query = useQuery({
    ...promptQuery(id, search.get('share')),
    placeholderData: () => knownPrompt(client, id),
  })
  if (query.error instanceof ApiError && query.error.status === 404) throw query.error
  const setParam = (name: 'edit' | 'history', isOn: boolean) =>
    setSearch((now) => {
      const next = new URLSearchParams(now)
      if (isOn) next.set(name, '1')
      else next.delete(name)
      return next
    })
  return (
    <>
      <div className="mb-1">
        <BackLink href={paths.prompts()}>Промпты</BackLink>
      </div>
      {query.data ? (
        <Opened prompt={query.data} search={search} setParam={setParam} />
      ) : query.isError ? (
        <QueryError query={query} />
      ) : (
        <PromptSkeleton />
      )}
    </>
  )
}

interface OpenedProps {
  prompt: Prompt
  search: URLSearchParams
  setParam: (name: 'edit' | 'history', isOn: boolean) => void
}

/** The open dialog is in the address, so that «Back» closes it. */
function Opened({ prompt, search, setParam }: OpenedProps) {
  useTitle(prompt.title)
  if (search.has('edit') && prompt.canEdit) return <EditPrompt prompt={prompt} onDone={() => setParam('edit', false)} />
  return (
    <ShowPrompt
      prompt={prompt}
      isHistoryShown={search.has('history')}
      onEdit={() => setParam('edit', true)}
      onHistory={(isShown) => setParam('history', isShown)}
    />
  )
}

function PromptSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-9 w-2/3" />
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="mt-4 h-11" />
      <Skeleton className="h-11" />
      <Skeleton className="h-48" />
    </div>
  )
}

interface EditPromptProps {
  prompt: Prompt
  onDone: () => void
}

/** The version is sent along, so that a concurrent change is not overwritten. */
function EditPrompt({ prompt, onDone }: EditPromptProps) {
  const { id, version, title, content, description, category, published } = prompt
  const change = useChangePrompt(id)
  const canPublish = useSession()?.role === 'admin'
  return (
    <>
      <h1 className="mb-6 text-2xl font-semibold">Изменить промпт</h1>
      <PromptForm
        initial={{ title, content, description, category, published }}
        canPublish={canPublish}
        call={{
          ...change,
          mutate: ({ published: isPublic, ...words }) =>
            change.mutate(
              { ...words, version, ...(canPublish && { published: isPublic }) },
              {
                onSuccess: () => {
                  message.success('Промпт сохранён')
                  onDone()
                },
              },
            ),
        }}
        saveLabel="Сохранить изменения"
        cancel={
          <Button variant="ghost" onClick={onDone}>
            Отменить
          </Button>
        }
      />
    </>
  )
}
