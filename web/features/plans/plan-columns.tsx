import type { Plan } from '#contract/plans.ts'
import { plural } from '#web/lib/format.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { saleColumns } from '#web/ui/table/sale-columns.tsx'

export const planSorts = ['position', 'name', 'symbols', 'price', 'intervalDays', 'perThousand', 'active'] as const

export function planColumns(defaultId: string | null): Column<Plan>[] {
  return [
    {
      ...saleColumns.name,
      note: ({ id }) => id === defaultId && <Badge tone="accent">По умолчанию</Badge>,
    },
    saleColumns.symbols,
    saleColumns.price,
    {
      id: 'intervalDays',
      title: 'Период',
      isSortable: true,
      isFigure: true,
      cell: ({ intervalDays }) => `${intervalDays}\u00a0${plural(intervalDays, 'день', 'дня', 'дней')}`,
      text: ({ intervalDays }) => intervalDays,
    },
    saleColumns.perThousand,
    {
      id: 'description',
      title: 'Описание',
      isExtra: true,
      isWide: true,
      cell: ({ description }) => description || null,
      text: ({ description }) => description,
    },
    saleColumns.active,
  ]
}
