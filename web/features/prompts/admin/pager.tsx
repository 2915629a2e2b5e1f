import { ChevronLeft, ChevronRight } from 'lucide-react'
import { formatNumber } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Select } from '../select-field.tsx'
import { type PromptTableFilter, sizes } from './table-filter.ts'

interface PagerProps {
  filter: PromptTableFilter
  total: number
  onChange: (change: Partial<PromptTableFilter>) => void
}

export function Pager({ filter: { page, size }, total, onChange }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / size))
  const [from, to] = [Math.min((page - 1) * size + 1, total), Math.min(page * size, total)]
  return (
    <nav aria-label="Страницы" className="flex flex-wrap items-center justify-between gap-3 text-muted text-sm">
      <p className="figures">
        {formatNumber(from)}–{formatNumber(to)} из {formatNumber(total)}
      </p>
      <div className="flex items-center gap-2">
        {total > sizes[0] && (
          <Select
            aria-label="Строк на странице"
            value={size}
            onChange={(event) => onChange({ size: Number(event.target.value) })}
            className="h-9 text-sm"
          >
            {sizes.map((one) => (
              <option key={one} value={one}>
                по {one}
              </option>
            ))}
          </Select>
        )}
        <IconButton
          label="Предыдущая страница"
          icon={<ChevronLeft size={20} aria-hidden="true" />}
          disabled={page <= 1}
          onClick={() => onChange({ page: page - 1 })}
        />
        <IconButton
          label="Следующая страница"
          icon={<ChevronRight size={20} aria-hidden="true" />}
          disabled={page >= last}
          onClick={() => onChange({ page: page + 1 })}
        />
      </div>
    </nav>
  )
}
