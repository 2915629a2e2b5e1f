import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { MAX_HELP_QUERY } from '#contract/help.ts'
import { Contents, ContentsSkeleton } from '#web/features/help/contents.tsx'
import { FoundList } from '#web/features/help/found-list.tsx'
import { helpContentsQuery, useHelpSearch } from '#web/features/help/queries.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { TextField } from '#web/ui/text-field.tsx'

export default function HelpScreen() {
  const { typed, type, wanted } = useSearchQuery()
  const found = useHelpSearch(wanted)
  return (
    <div className="mx-auto flex w-full max-w-[760px] flex-col gap-8 px-4 py-6 frame:py-10">
      <h1 className="text-2xl font-semibold">Помощь</h1>
      <search>
        <TextField
          label="Поиск по помощи"
          type="search"
          placeholder="Например, вернуть деньги"
          autoComplete="off"
          maxLength={MAX_HELP_QUERY}
          value={typed}
          onChange={(event) => type(event.target.value)}
        />
      </search>
      {wanted !== '' && (
        <section aria-label="Найденное" className="flex flex-col gap-2">
          {found.isError && <QueryError query={found} />}
          {found.data && <FoundList found={found.data} />}
        </section>
      )}
      {(wanted === '' || found.data?.length === 0) && <AllPages />}
    </div>
  )
}

function AllPages() {
  const contents = useQuery(helpContentsQuery)
  if (contents.isError) return <QueryError query={contents} />
  return contents.data ? <Contents entries={contents.data} /> : <ContentsSkeleton />
}

const PAUSE_MS = 200
const NAME = 'query'

/** The text of the search field and, after a pause, the query in the address. */
function useSearchQuery() {
  const [params, setParams] = useSearchParams()
  const wanted = params.get(NAME) ?? ''
  const [typed, setTyped] = useState(wanted)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function type(text: string) {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setParams(withQuery(text.trim()), { replace: true }), PAUSE_MS)
  }

  return { typed, type, wanted }
}

function withQuery(query: string) {
  return (params: URLSearchParams) => {
    const next = new URLSearchParams(params)
    if (query === '') next.delete(NAME)
    else next.set(NAME, query)
    return next
  }
}
