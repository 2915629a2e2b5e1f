import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '#contract/errors.ts'
import type { Prompt } from '#contract/prompts.ts'
import { knownPrompt, promptQuery } from '#web/features/prompts/queries.ts'
import { useScreenSearch } from '#web/features/prompts/use-screen-search.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { BackToPrompts } from './prompts/back-link.tsx'
import { EditPrompt } from './prompts/edit-prompt.tsx'
import { ShowPrompt } from './prompts/show-prompt.tsx'

export function PromptScreen({ params }: { params: Record<string, string> }) {
  const [search, setSearch] = useScreenSearch()
  const id = params.id ?? ''
  const client = useQueryClient()
  const query = useQuery({
    ...promptQuery(id, search.get('share')),
    placeholderData: () => knownPrompt(client, id),
  })
  if (query.error instanceof ApiError && query.error.status === 404) throw query.error
  const say = (name: 'edit' | 'history', isOn: boolean) =>
    setSearch((now) => {
      const next = new URLSearchParams(now)
      if (isOn) next.set(name, '1')
      else next.delete(name)
      return next
    })
  return (
    <>
      <BackToPrompts />
      {query.data ? (
        <Opened prompt={query.data} search={search} say={say} />
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
  say: (name: 'edit' | 'history', isOn: boolean) => void
}

/** What is done with it is said in the address, so that the way back leads out of it. */
function Opened({ prompt, search, say }: OpenedProps) {
  useTitle(prompt.title)
  if (search.has('edit') && prompt.canEdit) return <EditPrompt prompt={prompt} onDone={() => say('edit', false)} />
  return (
    <ShowPrompt
      prompt={prompt}
      isHistoryShown={search.has('history')}
      onEdit={() => say('edit', true)}
      onHistory={(isShown) => say('history', isShown)}
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

/** After the router, which names the tab by the screen in the same round of effects. */
function useTitle(title: string) {
  useEffect(() => {
    queueMicrotask(() => {
      document.title = `${title} · ${pageConfig().appName}`
    })
  }, [title])
}
