import { type PromoCode, promoState } from '#contract/promocodes.ts'
import { formatDay, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { promoName, stateLabel, usesLabel } from './promo-labels.ts'

export function PromoBadge({ promo }: { promo: PromoCode }) {
  const { label, tone } = stateLabel[promoState(promo)]
  return <Badge tone={tone}>{label}</Badge>
}

const dateCell = (at: string | null) => at && <span className="whitespace-nowrap">{formatDay(at)}</span>

/** Without `text`: the server writes the CSV. */
export const promoColumns: Column<PromoCode>[] = [
  { id: 'name', title: 'Название', isSortable: true, cell: promoName },
  {
    id: 'hint',
    title: 'Код',
    isSortable: true,
    cell: ({ hint }) => <span className="figures whitespace-nowrap">…{hint}</span>,
  },
  { id: 'state', title: 'Состояние', cell: (promo) => <PromoBadge promo={promo} /> },
  {
    id: 'symbols',
    title: 'Символы',
    isSortable: true,
    isNumeric: true,
    cell: ({ symbols }) => (symbols > 0 ? formatNumber(symbols) : null),
  },
  {
    id: 'discountPercent',
    title: 'Скидка',
    isSortable: true,
    isNumeric: true,
    cell: ({ discountPercent }) => (discountPercent === null ? null : `${discountPercent}\u00a0%`),
  },
  { id: 'uses', title: 'Применили', isSortable: true, isNumeric: true, cell: usesLabel },
  {
    id: 'startsAt',
    title: 'Действует с',
    isExtra: true,
    cell: ({ startsAt }) => dateCell(startsAt),
  },
  {
    id: 'expiresAt',
    title: 'Действует до',
    isSortable: true,
    isMinor: true,
    cell: ({ expiresAt }) => dateCell(expiresAt),
  },
  {
    id: 'firstPurchaseOnly',
    title: 'Первая покупка',
    isExtra: true,
    cell: ({ firstPurchaseOnly }) => (firstPurchaseOnly ? 'только она' : null),
  },
  { id: 'createdAt', title: 'Создан', isSortable: true, isMinor: true, cell: ({ createdAt }) => dateCell(createdAt) },
]
