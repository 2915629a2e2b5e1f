import type { Plan } from '#contract/plans.ts'
import { formatMoney, formatNumber, plural } from '#web/lib/format.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'

const days = (n: number) => `${n}\u00a0${plural(n, 'день', 'дня', 'дней')}`
const perThousand = ({ price, symbols }: Plan) => (price / symbols) * 1000

export function planColumns(defaultId: string | null): Column<Plan>[] {
  return [
    {
      id: 'name',
      title: 'Название',
      isSortable: true,
      cell: ({ name }) => name,
      note: ({ id }) => id === defaultId && <Badge tone="accent">По умолчанию</Badge>,
      text: ({ name }) => name,
    },
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
      id: 'intervalDays',
      title: 'Период',
      isSortable: true,
      isFigure: true,
      cell: ({ intervalDays }) => days(intervalDays),
      text: ({ intervalDays }) => intervalDays,
    },
    {
      id: 'perThousand',
      title: 'За 1000 символов',
      isSortable: true,
      isFigure: true,
      cell: (plan) => formatMoney({ amount: perThousand(plan), currency: plan.currency }),
    },
    {
      id: 'description',
      title: 'Описание',
      isExtra: true,
      isWide: true,
      cell: ({ description }) => description || null,
      text: ({ description }) => description,
    },
    {
      id: 'active',
      title: 'Состояние',
      isSortable: true,
      cell: ({ active }) => (active ? <Badge tone="success">В продаже</Badge> : <Badge>В архиве</Badge>),
      text: ({ active }) => (active ? 'в продаже' : 'в архиве'),
    },
  ]
}

export const planSorts = ['position', 'name', 'symbols', 'price', 'intervalDays', 'perThousand', 'active'] as const

export function planValue(plan: Plan, id: string) {
  if (id === 'perThousand') return perThousand(plan)
  return id in plan ? plan[id as keyof Plan] : null
}
