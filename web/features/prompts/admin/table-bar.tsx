import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { MAX_PROMPT_QUERY } from '#contract/prompts.ts'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle } from '#web/ui/field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { categoriesQuery } from '../queries.ts'
import { Select } from '../select-field.tsx'
import type { PromptTableFilter, PromptTableState } from './table-filter.ts'

const states: { value: PromptTableState; label: string }[] = [
  { value: 'all', label: 'Все' },
  { value: 'published', label: 'Общие' },
  { value: 'private', label: 'Закрытые' },
  { value: 'trash', label: 'Корзина' },
]

interface PromptTableBarProps {
  filter: PromptTableFilter
  typed: string
  onType: (text: string) => void
  onChange: (change: Partial<PromptTableFilter>) => void
}

export function PromptTableBar({ filter, typed, onType, onChange }: PromptTableBarProps) {
  const { data: categories = [] } = useQuery(categoriesQuery('all'))
  const names = new Set([...categories.map(({ category }) => category), ...(filter.category ? [filter.category] : [])])
  return (
    <div className="flex flex-wrap items-center gap-3">
      <search className="relative block min-w-56 flex-1">
        <Search
          size={18}
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted"
        />
        <input
          type="search"
          aria-label="Поиск в каталоге"
          placeholder="Поиск"
          autoComplete="off"
          maxLength={MAX_PROMPT_QUERY}
          value={typed}
          onChange={(event) => onType(event.target.value)}
          className={classNames(controlStyle, 'h-10 pl-9 text-[15px]')}
        />
      </search>
      <div className="w-full sm:w-56">
        <Select
          aria-label="Категория"
          value={filter.category ?? ''}
          onChange={(event) => onChange({ category: event.target.value || null })}
          className="h-10 text-[15px]"
        >
          <option value="">Все категории</option>
          {[...names].map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </div>
      <Segmented
        label="Какие промпты показать"
        value={filter.state}
        options={states}
        onChange={(state) => onChange({ state })}
      />
    </div>
  )
}
