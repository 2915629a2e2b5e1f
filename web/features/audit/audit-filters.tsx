import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { actionLabel, kindLabel } from '#contract/audit-labels.ts'
import { IconButton } from '#web/ui/button.tsx'
import { chipStyle, FilterChip } from '#web/ui/table/filter-chip.tsx'
import { RangeChip } from '#web/ui/table/range-chip.tsx'
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
  onChange: (change: Partial<Filters>) => void
}

export function AuditFilters({ state, onChange }: AuditFiltersProps) {
  const { data } = useQuery(auditChoicesQuery)
  const { actor, kind, action, target, from, to } = state
  const actors = data?.actors.map(({ id, email }) => ({ value: id, label: email })) ?? []
  const actions = data?.actions.filter((each) => !kind || each.startsWith(`${kind}.`) || each === action) ?? []
  return (
    <>
      <FilterChip
        label="Кто"
        any="Кто угодно"
        value={actor || null}
        options={withChosen(actors, actor)}
        onChange={(next) => onChange({ actor: next ?? '' })}
      />
      <FilterChip
        label="С чем"
        any="С чем угодно"
        value={kind || null}
        options={withChosen(worded(data?.kinds ?? [], kindLabel), kind, kindLabel)}
        onChange={(next) => onChange({ kind: next ?? '', action: '' })}
      />
      <FilterChip
        label="Действие"
        any="Любое действие"
        value={action || null}
        options={withChosen(worded(actions, actionLabel), action, actionLabel)}
        onChange={(next) => onChange({ action: next ?? '' })}
      />
      <RangeChip label="Период" type="date" range={{ from, to }} onChange={onChange} />
      {target && <TargetChip onClear={() => onChange({ target: '' })} />}
    </>
  )
}

interface Option {
  value: string
  label: string
}

const worded = (names: string[], words: (name: string) => string): Option[] =>
  names.map((value) => ({ value, label: words(value) })).sort((a, b) => a.label.localeCompare(b.label))

/** Adds the value from the URL, so that it can be seen and cleared before the list is loaded. */
function withChosen(options: Option[], value: string, words = (name: string) => name): Option[] {
  if (!value || options.some((option) => option.value === value)) return options
  return [...options, { value, label: words(value) }]
}

function TargetChip({ onClear }: { onClear: () => void }) {
  return (
    <span className="flex items-center">
      <span className={`${chipStyle(true)} inline-flex items-center`}>Только об одном</span>
      <IconButton size="sm" label="Снять отбор: об одном" icon={<X size={16} aria-hidden="true" />} onClick={onClear} />
    </span>
  )
}
