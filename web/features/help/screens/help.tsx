import { useQuery } from '@tanstack/react-query'
import { MAX_HELP_QUERY } from '#contract/help.ts'
import { Contents, ContentsSkeleton } from '#web/features/help/contents.tsx'
import { FoundList } from '#web/features/help/found-list.tsx'
import { helpContentsQuery, useHelpSearch } from '#web/features/help/queries.ts'
import { textParam, useUrlState } from '#web/lib/url-state.ts'
import { pageColumn } from '#web/ui/page-column.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { SearchField } from '#web/ui/search-field.tsx'

const params = { query: textParam(MAX_HELP_QUERY) }

export default function HelpScreen() {
  const { state, change } = useUrlState(params)
  const wanted = state.query
  const found = useHelpSearch(wanted)
  return (
    <div className={`${pageColumn} flex flex-col gap-8`}>
      <h1 className="text-2xl font-semibold">Помощь</h1>
      <SearchField
        label="Поиск по помощи"
        placeholder="Например, вернуть деньги"
        maxLength={MAX_HELP_QUERY}
        value={wanted}
        onChange={(query) => change({ query })}
      />
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
