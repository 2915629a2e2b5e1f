import type { TokenBundle } from '#contract/plans.ts'
import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'

const perThousand = ({ price, symbols }: TokenBundle) => (price / symbols) * 1000

export const bundleColumns: Column<TokenBundle>[] = [
  { id: 'name', title: 'Название', isSortable: true, cell: ({ name }) => name, text: ({ name }) => name },
  {
    id: 'symbols',
    title: 'Символы',
    isSortable: true,
    isFigure: true,
    cell: ({ symbols }) => formatNumber(symbols),
    text: ({ symbols }) => symbols,
  },
  {
    id: 'price',
    title: 'Цена',
    isSortable: true,
    isFigure: true,
    cell: ({ price, currency }) => formatMoney({ amount: price, currency }),
    text: ({ price, currency }) => formatMoney({ amount: price, currency }),
  },
  {
    id: 'perThousand',
    title: 'За 1000 символов',
    isSortable: true,
    isFigure: true,
    cell: (bundle) => formatMoney({ amount: perThousand(bundle), currency: bundle.currency }),
  },
  {
    id: 'active',
    title: 'Состояние',
    isSortable: true,
    cell: ({ active }) => (active ? <Badge tone="success">В продаже</Badge> : <Badge>В архиве</Badge>),
    text: ({ active }) => (active ? 'в продаже' : 'в архиве'),
  },
]

export const bundleSorts = ['position', 'name', 'symbols', 'price', 'perThousand', 'active'] as const

export function bundleValue(bundle: TokenBundle, id: string) {
  if (id === 'perThousand') return perThousand(bundle)
  return id in bundle ? bundle[id as keyof TokenBundle] : null
}
