import { classNames } from '#web/lib/class-names.ts'
import { IconButton } from '#web/ui/button.tsx'
import { X } from '#web/ui/icons.ts'

/** A chip that is set has the class `chip-on`: folded filters leave it on the screen. */
export function chipStyle(isOn: boolean): string {
  return classNames(
    'h-9 max-w-full max-sm:h-11 rounded-full border bg-surface px-3 [field-sizing:content] text-sm text-ink transition-colors hover:bg-hover',
    isOn ? 'chip-on border-accent-ink bg-accent-soft font-medium text-accent-ink' : 'border-line-strong',
  )
}

export interface Option<Value extends string> {
  value: Value
  label: string
}

interface FilterChipProps<Value extends string> {
  label: string
  /** The text when nothing is chosen. */
  any: string
  value: Value | null
  options: readonly Option<Value>[]
  onChange: (value: Value | null) => void
}

/** A filter as a chip; a native select, which works best on phones. */
export function FilterChip<Value extends string>({ label, any, value, options, onChange }: FilterChipProps<Value>) {
  return (
    <span className="flex min-w-0 items-center">
      <select
        aria-label={label}
        value={value ?? ''}
        onChange={(event) => onChange(options.find((option) => option.value === event.target.value)?.value ?? null)}
        className={chipStyle(value !== null)}
      >
        <option value="">{any}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {value !== null && (
        <IconButton size="sm" label={`Снять отбор: ${label}`} icon={<X size={16} />} onClick={() => onChange(null)} />
      )}
    </span>
  )
}

/** A filter that was set elsewhere, such as one user: here it can only be removed. */
export function ClearableChip({ label, value, onClear }: { label: string; value: string; onClear: () => void }) {
  return (
    <button
      type="button"
      aria-label={`Снять отбор: ${label} ${value}`}
      onClick={onClear}
      className={`${chipStyle(true)} inline-flex min-w-0 items-center gap-1.5`}
    >
      <span className="truncate">
        {label}: {value}
      </span>
      <X size={16} className="shrink-0" />
    </button>
  )
}
