import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { type ChangeOf, choiceParam, type StateOf } from '#web/lib/url-state.ts'
import { Archive, ArchiveRestore } from '#web/ui/icons.ts'
import { MenuItem } from '#web/ui/menu.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { FilterChips } from '#web/ui/table/filter-chips.tsx'

interface Sale {
  name: string
  symbols: number
  price: number
  currency: string
  active: boolean
}

const perThousand = ({ price, symbols }: Sale) => (price / symbols) * 1000

export const saleColumns = {
  name: { id: 'name', title: 'Название', isSortable: true, cell: ({ name }) => name, text: ({ name }) => name },
  symbols: {
    id: 'symbols',
    title: 'Символы',
    isSortable: true,
    isNumeric: true,
    cell: ({ symbols }) => formatNumber(symbols),
    text: ({ symbols }) => symbols,
  },
  price: {
    id: 'price',
    title: 'Цена',
    isSortable: true,
    isNumeric: true,
    cell: ({ price, currency }) => formatMoney({ amount: price, currency }),
    text: ({ price, currency }) => formatMoney({ amount: price, currency }),
  },
  perThousand: {
    id: 'perThousand',
    title: 'За 1\u202f000 символов',
    isSortable: true,
    isNumeric: true,
    cell: (sale) => formatMoney({ amount: perThousand(sale), currency: sale.currency }),
  },
  active: {
    id: 'active',
    title: 'Состояние',
    isSortable: true,
    cell: ({ active }) => (active ? <Badge tone="success">В продаже</Badge> : <Badge>В архиве</Badge>),
    text: ({ active }) => (active ? 'в продаже' : 'в архиве'),
  },
} satisfies Record<string, Column<Sale>>

/** The URL parameter that shows only what is for sale, or only the archive. */
export const saleParams = { state: choiceParam(['active', 'archived']) }
type SaleState = StateOf<typeof saleParams>

export function isInState({ active }: Sale, { state }: SaleState): boolean {
  return state === null || active === (state === 'active')
}

interface SaleStateChipProps {
  url: { state: SaleState; change: (change: ChangeOf<SaleState>) => void }
  any: string
}

export function SaleStateChip({ url, any }: SaleStateChipProps) {
  const options = { active: 'В продаже', archived: 'В архиве' }
  return <FilterChips {...url} chips={[{ filter: 'state', label: 'Состояние', any, options }]} />
}

interface ArchiveItemProps {
  isActive: boolean
  onChange: (isActive: boolean) => void
}

export function ArchiveItem({ isActive, onChange }: ArchiveItemProps) {
  const Icon = isActive ? Archive : ArchiveRestore
  return (
    <MenuItem icon={<Icon size={18} />} onSelect={() => onChange(!isActive)}>
      {isActive ? 'Убрать в архив' : 'Вернуть в продажу'}
    </MenuItem>
  )
}

export function saleSortValue<Row extends Sale>(row: Row, id: string): string | number | boolean | null {
  if (id === 'perThousand') return perThousand(row)
  return id in row ? (row[id as keyof Row] as string | number | boolean | null) : null
}
