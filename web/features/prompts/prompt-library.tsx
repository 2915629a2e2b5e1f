import { useInfiniteQuery } from '@tanstack/react-query'
import type { Prompt } from '#contract/prompts.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { EmptyLibrary } from './empty-library.tsx'
import { byCategory, isGrouped, type LibraryFilter } from './library-filter.ts'
import { PromptCard } from './prompt-card.tsx'
import { libraryQuery } from './queries.ts'
import { QueryError } from './query-error.tsx'

interface PromptLibraryProps {
  filter: LibraryFilter
  onUse: (prompt: Prompt) => void
}

export function PromptLibrary({ filter, onUse }: PromptLibraryProps) {
  const library = useInfiniteQuery(libraryQuery(filter))
  if (!library.data) return library.isError ? <QueryError query={library} /> : <LibrarySkeleton />
  const prompts = library.data.pages.flatMap(({ items }) => items)
  if (prompts.length === 0) return <EmptyLibrary filter={filter} />
  return (
    <div
      className="flex flex-col gap-8 transition-opacity aria-busy:opacity-60"
      aria-busy={library.isPlaceholderData || undefined}
    >
      {isGrouped(filter) ? (
        byCategory(prompts).map((group) => (
          <section key={group.category} aria-label={group.category}>
            <h2 className="mb-3 text-lg font-semibold">{group.category}</h2>
            <Cards prompts={group.prompts} withCategory={false} onUse={onUse} />
          </section>
        ))
      ) : (
        <Cards prompts={prompts} withCategory={filter.category === null} onUse={onUse} />
      )}
      {library.isError && <QueryError query={library} />}
      {library.hasNextPage && (
        <Button className="self-center" busy={library.isFetchingNextPage} onClick={() => void library.fetchNextPage()}>
          Показать ещё
        </Button>
      )}
    </div>
  )
}

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(min(100%,17.5rem),1fr))] gap-3'

interface CardsProps {
  prompts: Prompt[]
  withCategory: boolean
  onUse: (prompt: Prompt) => void
}

function Cards({ prompts, withCategory, onUse }: CardsProps) {
  return (
    <ul className={grid}>
      {prompts.map((prompt) => (
        <li key={prompt.id}>
          <PromptCard prompt={prompt} withCategory={withCategory} onUse={onUse} />
        </li>
      ))}
    </ul>
  )
}

function LibrarySkeleton() {
  return (
    <div>
      <Skeleton className="mb-3 h-7 w-48" />
      <div className={grid}>
        {Array.from({ length: 8 }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
          <Skeleton key={place} className="h-40 rounded-md" />
        ))}
      </div>
    </div>
  )
}
