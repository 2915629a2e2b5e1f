import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { Badge } from './badge.tsx'
import type { Column } from './columns.ts'

interface Sale {
  name: string
  symbols: number
  price: number
  currency: string
  active: boolean
}

const perThousand = ({ price, symbols }: Sale) => (price / symbols) * 1000

/** The columns that plans and bundles have in common. */
export const saleColumns = {
  name: { id: 'name', title: 'Название', isSortable: true, cell: ({ name }) => name, text: ({ name }) => name },
  symbols: {
    id: 'symbols',
    title: 'Символы',
    isSortable: true,
    isFigure: true,
    cell: ({ symbols }) => formatNumber(symbols),
    text: ({ symbols }) => symbols,
  },
  price: {
    id: 'price',
    title: 'Цена',
    isSortable: true,
    isFigure: true,
    cell: ({ price, currency }) => formatMoney({ amount: price, currency }),
    text: ({ price, currency }) => formatMoney({ amount: price, currency }),
  },
  perThousand: {
    id: 'perThousand',
    title: 'За 1000 символов',
    isSortable: true,
    isFigure: true,
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

export const saleStates = [
  { value: 'active', label: 'В продаже' },
  { value: 'archived', label: 'В архиве' },
] as const

/** The value by which a column is sorted. */
export function saleValue<Row extends Sale>(row: Row, id: string): string | number | boolean | null {
  if (id === 'perThousand') return perThousand(row)
  return id in row ? (row[id as keyof Row] as string | number | boolean | null) : null
}
