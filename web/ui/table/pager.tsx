import { formatNumber } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/button.tsx'
import { ChevronLeft, ChevronRight } from '#web/ui/icons.ts'
import { chipStyle } from './filter-chip.tsx'

interface PagerProps {
  page: number
  size: number
  total: number
  /** The count stopped at `total`: there are more rows. */
  isMore?: boolean
  sizes?: readonly number[]
  onChange: (change: { page: number } | { size: number }) => void
}

const defaultSizes = [20, 50, 100, 200]

export function Pager({ page, size, total, isMore = false, sizes = defaultSizes, onChange }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / size))
  const from = Math.min((page - 1) * size + 1, total)
  const to = Math.min(page * size, total)
  return (
    <nav aria-label="Страницы списка" className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <p role="status" className="figures text-muted">
        {formatNumber(from)}–{formatNumber(to)} из {isMore && 'более чем '}
        {formatNumber(total)}
      </p>
      <div className="flex items-center gap-3">
        <label className="flex items-center gap-2 text-muted">
          На странице
          <select
            value={size}
            onChange={(event) => onChange({ size: Number(event.target.value) })}
            className={chipStyle(false)}
          >
            {[...new Set([...sizes, size])]
              .sort((a, b) => a - b)
              .map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
          </select>
        </label>
        <span className="flex items-center">
          <IconButton
            size="sm"
            label="Предыдущая страница"
            icon={<ChevronLeft size={20} />}
            disabled={page <= 1}
            onClick={() => onChange({ page: Math.min(page, pages + 1) - 1 })}
          />
          <span className="figures px-1">
            {formatNumber(page)} / {formatNumber(pages)}
          </span>
          <IconButton
            size="sm"
            label="Следующая страница"
            icon={<ChevronRight size={20} />}
            disabled={page >= pages}
            onClick={() => onChange({ page: page + 1 })}
          />
        </span>
      </div>
    </nav>
  )
}
