import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { MAX_PROMPT_QUERY } from '#contract/prompts.ts'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle } from '#web/ui/field.tsx'
import { Filters } from '#web/ui/filters.tsx'
import { Select } from '#web/ui/form/select-field.tsx'
import { Search } from '#web/ui/icons.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import type { LibraryFilter, Sort, View } from './library-filter.ts'
import { categoriesQuery } from './queries.ts'

const views: { value: View; label: string }[] = [
  { value: 'all', label: 'Все' },
  { value: 'own', label: 'Мои' },
  { value: 'favourites', label: 'Избранные' },
  { value: 'published', label: 'Общие' },
  { value: 'shared', label: 'По ссылке' },
]

const sorts: { value: Sort; label: string }[] = [
  { value: 'order', label: 'По категориям' },
  { value: 'uses', label: 'Популярные' },
  { value: 'new', label: 'Новые' },
]

interface LibraryBarProps {
  filter: LibraryFilter
  typed: string
  onType: (text: string) => void
  onChange: (filter: LibraryFilter) => void
}

export function LibraryBar({ filter, typed, onType, onChange }: LibraryBarProps) {
  return (
    <div className="flex flex-col gap-4">
      <search className="relative block max-w-2xl">
        <Search
          size={20}
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted"
        />
        <input
          type="search"
          aria-label="Поиск промптов"
          placeholder="Например, отказать клиенту"
          autoComplete="off"
          maxLength={MAX_PROMPT_QUERY}
          value={typed}
          onChange={(event) => onType(event.target.value)}
          className={classNames(controlStyle, 'h-11 pl-10')}
        />
      </search>
      <Filters summary={summaryOf(filter)}>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div className="-mx-4 max-w-[100vw] overflow-x-auto px-4 py-1 frame:mx-0 frame:px-0">
            <div className="w-max">
              <Segmented
                label="Какие промпты показать"
                value={filter.view}
                options={views}
                onChange={(view) => onChange({ ...filter, view, category: null })}
              />
            </div>
          </div>
          {filter.query === '' && (
            <Select
              aria-label="Порядок"
              value={filter.sort}
              onChange={(event) => onChange({ ...filter, sort: asSort(event.target.value) })}
              options={sorts}
              className="h-10 text-[15px]"
            />
          )}
        </div>
        <CategoryChips
          view={filter.view}
          chosen={filter.category}
          onChoose={(category) => onChange({ ...filter, category })}
        />
      </Filters>
    </div>
  )
}

function summaryOf({ view, category }: LibraryFilter): string {
  const label = views.find(({ value }) => value === view)?.label ?? ''
  return category ? `${label}, ${category}` : label
}

const asSort = (value: string) => sorts.find((sort) => sort.value === value)?.value ?? 'order'

interface CategoryChipsProps {
  view: View
  chosen: string | null
  onChoose: (category: string | null) => void
}

/** On phones a single scrolling line. */
function CategoryChips({ view, chosen, onChoose }: CategoryChipsProps) {
  const categories = useQuery(categoriesQuery(view))
  if (!categories.data) return <div className="h-8" />
  if (categories.data.length < 2 && chosen === null) return null
  return (
    <fieldset className="-mx-4 min-w-0 overflow-x-auto px-4 py-0.5 frame:mx-0 frame:px-0">
      <legend className="sr-only">Категория</legend>
      <div className="flex w-max gap-2 frame:w-auto frame:flex-wrap">
        <Chip isChosen={chosen === null} onClick={() => onChoose(null)}>
          Все категории
        </Chip>
        {categories.data.map(({ category, count }) => (
          <Chip key={category} isChosen={chosen === category} onClick={() => onChoose(category)}>
            {category} <span className="figures opacity-70">{count}</span>
          </Chip>
        ))}
      </div>
    </fieldset>
  )
}

interface ChipProps {
  isChosen: boolean
  onClick: () => void
  children: ReactNode
}

function Chip({ isChosen, onClick, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onClick}
      className={classNames(
        'min-h-8 rounded-full max-frame:min-h-11 border px-3 text-sm whitespace-nowrap transition-colors',
        isChosen ? 'border-accent bg-accent text-on-accent' : 'bg-surface hover:border-line-strong',
      )}
    >
      {children}
    </button>
  )
}
