import { useQuery } from '@tanstack/react-query'
import { allPlansQuery } from '#web/features/plans/queries.ts'
import type { ChangeOf } from '#web/lib/url-state.ts'
import { type Chip, FilterChips } from '#web/ui/table/filter-chips.tsx'
import type { UserListState } from './user-filter.ts'

const chips: Chip<UserListState>[] = [
  { from: 'balanceFrom', to: 'balanceTo', type: 'number', isWhole: true, label: 'Баланс', isRare: true },
  {
    filter: 'seen',
    label: 'Активность',
    any: 'Любая активность',
    options: {
      'active-1': 'Заходили за сутки',
      'active-7': 'Заходили за 7 дней',
      'active-30': 'Заходили за 30 дней',
      'idle-30': 'Не заходили 30 дней',
      'idle-90': 'Не заходили 90 дней',
      'idle-365': 'Не заходили год',
    },
  },
  { from: 'from', to: 'to', type: 'date', label: 'Регистрация', isRare: true },
  {
    filter: 'gift',
    label: 'Стартовые символы',
    any: 'Стартовые символы: все',
    options: { refused: 'Стартовые символы не выданы' },
    isRare: true,
  },
  {
    filter: 'role',
    label: 'Роль',
    any: 'Любая роль',
    options: { admin: 'Администраторы', user: 'Не администраторы' },
    isRare: true,
  },
  {
    filter: 'banned',
    label: 'Блокировка',
    any: 'С блокировкой и без',
    options: { true: 'Заблокированные', false: 'Не заблокированные' },
    isRare: true,
  },
]

interface UserChipsProps {
  state: UserListState
  change: (change: ChangeOf<UserListState>) => void
}

export function UserChips({ state, change }: UserChipsProps) {
  const { data: plans = [] } = useQuery(allPlansQuery)
  const options = [
    { value: 'any', label: 'С тарифом' },
    { value: 'none', label: 'Без тарифа' },
    ...plans.map(({ id, name }) => ({ value: id, label: name })),
  ]
  const all = [{ filter: 'plan', label: 'Тариф', any: 'Любой тариф', options } as const, ...chips]
  return <FilterChips state={state} change={change} chips={all} />
}
