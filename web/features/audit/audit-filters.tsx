import { useQuery } from '@tanstack/react-query'
import { actionLabel, kindLabel } from '#contract/audit-labels.ts'
import type { ChangeOf } from '#web/lib/url-state.ts'
import { IconButton } from '#web/ui/button.tsx'
import { X } from '#web/ui/icons.ts'
import { chipStyle, type Option } from '#web/ui/table/filter-chip.tsx'
import { FilterChips } from '#web/ui/table/filter-chips.tsx'
import { auditChoicesQuery } from './queries.ts'

interface Filters {
  actor: string
  kind: string
  action: string
  target: string
  from: string
  to: string
}

interface AuditFiltersProps {
  state: Filters
  change: (change: ChangeOf<Filters>) => void
}

export function AuditFilters({ state, change }: AuditFiltersProps) {
  const { data } = useQuery(auditChoicesQuery)
  const { actor, kind, action, target } = state
  const actors = data?.actors.map(({ id, email }) => ({ value: id, label: email })) ?? []
  const actions = data?.actions.filter((each) => !kind || each.startsWith(`${kind}.`) || each === action) ?? []
  return (
    <>
      <FilterChips
        state={state}
        change={change}
        chips={[
          { filter: 'actor', label: 'Администратор', any: 'Все администраторы', options: withChosen(actors, actor) },
          {
            filter: 'kind',
            label: 'Объект',
            any: 'Любой объект',
            options: withChosen(optionsOf(data?.kinds ?? [], kindLabel), kind, kindLabel),
            clears: 'action',
          },
          {
            filter: 'action',
            label: 'Действие',
            any: 'Любое действие',
            options: withChosen(optionsOf(actions, actionLabel), action, actionLabel),
          },
          { from: 'from', to: 'to', type: 'date', label: 'Период' },
        ]}
      />
      {target && <TargetChip onClear={() => change({ target: null })} />}
    </>
  )
}

const optionsOf = (names: string[], label: (name: string) => string): Option<string>[] =>
  names.map((value) => ({ value, label: label(value) })).sort((a, b) => a.label.localeCompare(b.label))

/** Adds the value from the URL, so that it can be seen and cleared before the list is loaded. */
function withChosen(options: Option<string>[], value: string, label = (name: string) => name): Option<string>[] {
  if (!value || options.some((option) => option.value === value)) return options
  return [...options, { value, label: label(value) }]
}

function TargetChip({ onClear }: { onClear: () => void }) {
  return (
    <span className="flex items-center">
      <span className={`${chipStyle(true)} inline-flex items-center`}>Только об одном</span>
      <IconButton size="sm" label="Снять отбор: об одном" icon={<X size={16} />} onClick={onClear} />
    </span>
  )
}
