import { useQuery } from '@tanstack/react-query'
import { MAX_PROMPT_QUERY } from '#contract/prompts.ts'
import { classNames } from '#web/lib/class-names.ts'
import type { ChangeOf } from '#web/lib/url-state.ts'
import { useTyped } from '#web/lib/use-typed.ts'
import { controlStyle } from '#web/ui/field.tsx'
import { Filters } from '#web/ui/filters.tsx'
import { Search } from '#web/ui/icons.ts'
import { FilterChip } from '#web/ui/table/filter-chip.tsx'
import type { LibraryFilter } from './library-filter.ts'
import { categoriesQuery } from './queries.ts'

const views = [
  { value: 'own', label: 'Мои' },
  { value: 'favourites', label: 'Избранные' },
  { value: 'published', label: 'Общие' },
  { value: 'shared', label: 'По ссылке' },
] as const

const sorts = [
  { value: 'uses', label: 'Популярные' },
  { value: 'new', label: 'Новые' },
] as const

interface LibraryBarProps {
  filter: LibraryFilter
  onChange: (change: ChangeOf<LibraryFilter>) => void
}

/** One row: the search, whose prompts, the category and the order. */
export function LibraryBar({ filter, onChange }: LibraryBarProps) {
  const { view, category, sort } = filter
  const { typed, type } = useTyped(filter.query, (query) => onChange({ query }))
  const { data: categories = [] } = useQuery(categoriesQuery(view ?? 'all'))
  const known = categories.map((each) => ({ value: each.category, label: `${each.category} · ${each.count}` }))
  const isListed = category === '' || known.some(({ value }) => value === category)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <search className="relative block w-full grow sm:w-auto sm:max-w-md sm:basis-64">
        <Search size={20} className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted" />
        <input
          type="search"
          aria-label="Поиск промптов"
          placeholder="Например, отказать клиенту"
          autoComplete="off"
          maxLength={MAX_PROMPT_QUERY}
          value={typed}
          onChange={(event) => type(event.target.value)}
          className={classNames(controlStyle, 'h-11 rounded-full pl-10')}
        />
      </search>
      <Filters>
        <FilterChip
          label="Какие промпты показать"
          any="Все промпты"
          value={view}
          options={views}
          onChange={(next) => onChange({ view: next, category: null })}
        />
        <FilterChip
          label="Категория"
          any="Все категории"
          value={category || null}
          options={isListed ? known : [...known, { value: category, label: category }]}
          onChange={(next) => onChange({ category: next })}
        />
        {filter.query === '' && (
          <FilterChip
            label="Порядок"
            any="По категориям"
            value={sort}
            options={sorts}
            onChange={(next) => onChange({ sort: next })}
          />
        )}
      </Filters>
    </div>
  )
}
