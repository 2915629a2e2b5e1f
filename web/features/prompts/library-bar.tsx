import { useQuery } from '@tanstack/react-query'
import { MAX_PROMPT_QUERY } from '#contract/prompts.ts'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle } from '#web/ui/field.tsx'
import { Filters } from '#web/ui/filters.tsx'
import { Search } from '#web/ui/icons.ts'
import { FilterChip } from '#web/ui/table/filter-chip.tsx'
import type { LibraryFilter, Sort, View } from './library-filter.ts'
import { categoriesQuery } from './queries.ts'

const views: { value: Exclude<View, 'all'>; label: string }[] = [
  { value: 'own', label: 'Мои' },
  { value: 'favourites', label: 'Избранные' },
  { value: 'published', label: 'Общие' },
  { value: 'shared', label: 'По ссылке' },
]

const sorts: { value: Exclude<Sort, 'order'>; label: string }[] = [
  { value: 'uses', label: 'Популярные' },
  { value: 'new', label: 'Новые' },
]

interface LibraryBarProps {
  filter: LibraryFilter
  typed: string
  onType: (text: string) => void
  onChange: (filter: LibraryFilter) => void
}

/** One row: the search, whose prompts, the category and the order. */
export function LibraryBar({ filter, typed, onType, onChange }: LibraryBarProps) {
  const { data: categories = [] } = useQuery(categoriesQuery(filter.view))
  const known = categories.map(({ category, count }) => ({ value: category, label: `${category} · ${count}` }))
  const isListed = filter.category === null || known.some(({ value }) => value === filter.category)
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
          onChange={(event) => onType(event.target.value)}
          className={classNames(controlStyle, 'h-11 rounded-full pl-10')}
        />
      </search>
      <Filters>
        <FilterChip
          label="Какие промпты показать"
          any="Все промпты"
          value={filter.view === 'all' ? null : filter.view}
          options={views}
          onChange={(view) => onChange({ ...filter, view: view ?? 'all', category: null })}
        />
        <FilterChip
          label="Категория"
          any="Все категории"
          value={filter.category}
          options={isListed ? known : [...known, { value: filter.category ?? '', label: filter.category ?? '' }]}
          onChange={(category) => onChange({ ...filter, category })}
        />
        {filter.query === '' && (
          <FilterChip
            label="Порядок"
            any="По категориям"
            value={filter.sort === 'order' ? null : filter.sort}
            options={sorts}
            onChange={(sort) => onChange({ ...filter, sort: sort ?? 'order' })}
          />
        )}
      </Filters>
    </div>
  )
}
