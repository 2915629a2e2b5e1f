import { useQuery } from '@tanstack/react-query'
import { allPlansQuery } from '#web/features/plans/queries.ts'
import { FilterChip } from '#web/ui/table/filter-chip.tsx'
import { RangeChip } from '#web/ui/table/range-chip.tsx'
import type { UserListState } from './user-filter.ts'

const roles = [
  { value: 'admin', label: 'Администраторы' },
  { value: 'user', label: 'Не администраторы' },
] as const
const bans = [
  { value: 'true', label: 'Заблокированные' },
  { value: 'false', label: 'Не заблокированные' },
] as const
const gifts = [{ value: 'refused', label: 'Стартовые символы не выданы' }] as const
const visits = [
  { value: 'active-1', label: 'Заходили за сутки' },
  { value: 'active-7', label: 'Заходили за 7 дней' },
  { value: 'active-30', label: 'Заходили за 30 дней' },
  { value: 'idle-30', label: 'Не заходили 30 дней' },
  { value: 'idle-90', label: 'Не заходили 90 дней' },
  { value: 'idle-365', label: 'Не заходили год' },
] as const

const whole = (text: string) => text.replace(/\..*$/, '')

interface UserChipsProps {
  state: UserListState
  onChange: (change: Partial<UserListState>) => void
}

export function UserChips({ state, onChange }: UserChipsProps) {
  const balance = { from: state.balanceFrom, to: state.balanceTo }
  const came = { from: state.from, to: state.to }
  return (
    <>
      <PlanChip value={state.plan || null} onChange={(plan) => onChange({ plan: plan ?? '' })} />
      <RangeChip
        label="Баланс"
        type="number"
        range={balance}
        onChange={({ from, to }) => onChange({ balanceFrom: whole(from), balanceTo: whole(to) })}
      />
      <FilterChip
        label="Активность"
        any="Любая активность"
        value={state.seen}
        options={visits}
        onChange={(seen) => onChange({ seen })}
      />
      <RangeChip label="Регистрация" type="date" range={came} onChange={(range) => onChange(range)} />
      <FilterChip
        label="Стартовые символы"
        any="Стартовые символы: все"
        value={state.gift}
        options={gifts}
        onChange={(gift) => onChange({ gift })}
      />
      <FilterChip
        label="Роль"
        any="Любая роль"
        value={state.role}
        options={roles}
        onChange={(role) => onChange({ role })}
      />
      <FilterChip
        label="Блокировка"
        any="С блокировкой и без"
        value={state.banned}
        options={bans}
        onChange={(banned) => onChange({ banned })}
      />
    </>
  )
}

interface PlanChipProps {
  value: string | null
  onChange: (plan: string | null) => void
}

function PlanChip({ value, onChange }: PlanChipProps) {
  const { data: plans = [] } = useQuery(allPlansQuery)
  const options = [
    { value: 'any', label: 'С тарифом' },
    { value: 'none', label: 'Без тарифа' },
    ...plans.map(({ id, name }) => ({ value: id, label: name })),
  ]
  return <FilterChip label="Тариф" any="Любой тариф" value={value} options={options} onChange={onChange} />
}
