import { useQuery } from '@tanstack/react-query'
import type { ImportFormat } from '#contract/prompts-admin.ts'
import type { ChangeOf } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button.tsx'
import { Filters } from '#web/ui/filters.tsx'
import { Download } from '#web/ui/icons.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import type { Sorting } from '#web/ui/table/data-table.tsx'
import { FilterChip } from '#web/ui/table/filter-chip.tsx'
import { SortChoice } from '#web/ui/table/list-tools.tsx'
import { SearchBox } from '#web/ui/table/search-box.tsx'
import { categoriesQuery } from '../queries.ts'
import { promptColumns } from './prompt-table.tsx'
import { exportAddress, type PromptTableFilter } from './table-filter.ts'

const states = [
  { value: 'all', label: 'Все' },
  { value: 'published', label: 'Общие' },
  { value: 'private', label: 'Закрытые' },
  { value: 'trash', label: 'Корзина' },
] as const

interface PromptTableBarProps {
  /** Of the search field: a user sees only their own prompts here. */
  label: string
  filter: PromptTableFilter
  sort: Sorting
  onChange: (change: ChangeOf<PromptTableFilter>) => void
}

export function PromptTableBar({ label, filter, sort, onChange }: PromptTableBarProps) {
  const { data: categories = [] } = useQuery(categoriesQuery('all'))
  const names = new Set([...categories.map(({ category }) => category), ...(filter.category ? [filter.category] : [])])
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox label={label} value={filter.query} onChange={(query) => onChange({ query })} />
      <Filters>
        <FilterChip
          label="Категория"
          any="Все категории"
          value={filter.category || null}
          options={[...names].map((name) => ({ value: name, label: name }))}
          onChange={(category) => onChange({ category })}
        />
        <SortChoice columns={promptColumns} sort={sort} extraSort={{ id: 'order', title: 'По порядку показа' }} />
        <span className="sm:ml-auto">
          <Segmented
            label="Какие промпты показать"
            value={filter.state}
            options={states}
            onChange={(state) => onChange({ state })}
          />
        </span>
      </Filters>
    </div>
  )
}

export function ExportMenu({ filter }: { filter: PromptTableFilter }) {
  return (
    <Menu align="end" trigger={<Button icon={<Download size={18} />}>Экспорт</Button>}>
      <MenuItem onSelect={() => download(filter, 'csv')}>
        CSV <span className="ml-auto pl-4 text-muted text-sm">для таблиц</span>
      </MenuItem>
      <MenuItem onSelect={() => download(filter, 'json')}>
        JSON <span className="ml-auto pl-4 text-muted text-sm">для программ</span>
      </MenuItem>
    </Menu>
  )
}

/** Clicks a temporary link: the response has a file name. */
function download(filter: PromptTableFilter, format: ImportFormat) {
  const link = document.createElement('a')
  link.href = exportAddress(filter, format)
  link.download = ''
  link.click()
}
