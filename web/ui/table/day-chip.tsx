import { classNames } from '#web/lib/class-names.ts'
import { chipStyle } from './filter-chip.tsx'

interface DayChipProps {
  label: string
  value: string | null
  min?: string | null
  max?: string | null
  onChange: (day: string | null) => void
}

/** One end of a period, as a chip. */
export function DayChip({ label, value, min, max, onChange }: DayChipProps) {
  return (
    <label className={classNames(chipStyle(value !== null), 'inline-flex items-center gap-1.5')}>
      <span className={value === null ? 'text-muted' : undefined}>{label}</span>
      <input
        type="date"
        value={value ?? ''}
        min={min ?? undefined}
        max={max ?? undefined}
        onChange={(event) => onChange(event.target.value || null)}
        className="figures min-w-0 rounded-xs bg-transparent"
      />
    </label>
  )
}
