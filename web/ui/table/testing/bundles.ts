import type { TokenBundle } from '#contract/plans.ts'
import type { Column } from '../columns.ts'
import type { RowSpec } from '../table-row.tsx'

const aBundle = (name: string, symbols: number): TokenBundle => ({
  id: name.toLowerCase(),
  name,
  symbols,
  price: 500,
  currency: 'BYN',
  active: true,
  position: 0,
})
export const bundles = [aBundle('Средний', 500), aBundle('Большой', 1000), aBundle('Малый', 50)]

export const columns: Column<TokenBundle>[] = [
  { id: 'name', title: 'Название', isSortable: true, cell: ({ name }) => name, text: ({ name }) => name },
  {
    id: 'symbols',
    title: 'Символы',
    isSortable: true,
    isNumeric: true,
    cell: ({ symbols }) => symbols,
    text: ({ symbols }) => symbols,
  },
  { id: 'note', title: 'Заметка', cell: () => null },
  {
    id: 'currency',
    title: 'Валюта',
    isExtra: true,
    cell: ({ currency }) => currency,
    text: ({ currency }) => currency,
  },
]
export const rowSpec: RowSpec<TokenBundle> = {
  key: ({ id }) => id,
  name: ({ name }) => name,
  href: ({ id }) => `/admin/plans/${id}`,
}
