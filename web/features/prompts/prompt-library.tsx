import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { parsePrompt } from '#contract/prompt-variables.ts'
import type { Prompt } from '#contract/prompts.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Link } from '#web/ui/link.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { FavouriteButton } from './favourite-button.tsx'
import { byCategory, isGrouped, type LibraryFilter } from './library-filter.ts'
import { Badge } from './prompt-badge.tsx'
import { libraryQuery } from './queries.ts'

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
        <Cards prompts={prompts} withCategory={filter.category === ''} onUse={onUse} />
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
        {Array.from({ length: 8 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
          <Skeleton key={index} className="h-40 rounded-md" />
        ))}
      </div>
    </div>
  )
}

interface PromptCardProps {
  prompt: Prompt
  /** Shown when the list has several categories. */
  withCategory: boolean
  onUse: (prompt: Prompt) => void
}

/** The whole card is a link; the star and the button are above it. */
function PromptCard({ prompt, withCategory, onUse }: PromptCardProps) {
  const { id, title, description, content, category, uses } = prompt
  const fields = useMemo(() => parsePrompt(content).variables.length, [content])
  return (
    <article className="group relative flex h-full flex-col gap-2 rounded-md border bg-surface p-4 transition-colors hover:border-line-strong">
      {withCategory && <p className="-mb-1 truncate pr-8 text-muted text-sm">{category}</p>}
      <h3 className="pr-7 font-medium leading-snug wrap-anywhere">
        <Link href={paths.prompt(id)} className="rounded-xs after:absolute after:inset-0 after:rounded-md">
          {title}
        </Link>
      </h3>
      <div className="absolute top-2.5 right-2.5 max-frame:top-1 max-frame:right-1">
        <FavouriteButton prompt={prompt} />
      </div>
      <p className="line-clamp-3 text-pretty text-[15px] text-muted wrap-anywhere">{description || content}</p>
      <div className="mt-auto flex items-end justify-between gap-3 pt-1">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
          <Badge prompt={prompt} />
          {fields > 0 && (
            <span className="whitespace-nowrap">
              {fields} {plural(fields, 'поле', 'поля', 'полей')}
            </span>
          )}
          {uses > 0 && (
            <span className="figures whitespace-nowrap">
              использован {formatNumber(uses)} {plural(uses, 'раз', 'раза', 'раз')}
            </span>
          )}
        </p>
        <Button
          size="sm"
          className="relative shrink-0"
          aria-label={`Использовать: ${title}`}
          onClick={() => onUse(prompt)}
        >
          Использовать
        </Button>
      </div>
    </article>
  )
}

function EmptyLibrary({ filter: { query, category, view } }: { filter: LibraryFilter }) {
  const add = (
    <ButtonLink href={paths.promptAdd()} variant="primary">
      Новый промпт
    </ButtonLink>
  )
  if (query !== '' || category !== '')
    return (
      <EmptyState
        glyph="search"
        title="Ничего не нашлось"
        text={
          query === ''
            ? 'В этой категории таких промптов нет.'
            : `По запросу «${query}» промптов нет. Попробуйте другое слово или сохраните свой промпт.`
        }
        action={
          <>
            <ButtonLink href={paths.prompts()}>Показать все</ButtonLink>
            {add}
          </>
        }
      />
    )
  if (view === 'favourites')
    return (
      <EmptyState
        glyph="prompt"
        title="Избранного пока нет"
        text="Отметьте промпт звёздочкой, и он будет здесь и первым в списке по знаку «/» в чате."
        action={<ButtonLink href={paths.prompts()}>Выбрать промпты</ButtonLink>}
      />
    )
  if (view === 'shared')
    return (
      <EmptyState
        glyph="prompt"
        title="По ссылке ничего не открыто"
        text="Когда кто-то пришлёт вам ссылку на свой промпт и вы её откроете, промпт останется здесь."
      />
    )
  return (
    <EmptyState
      glyph="prompt"
      title={view === 'own' ? 'Своих промптов пока нет' : 'Промптов пока нет'}
      text="Сохраните удачный запрос, и он всегда будет под рукой. Места, которые меняются, заполните перед отправкой."
      action={add}
    />
  )
}
