import { X } from 'lucide-react'
import { chipStyle } from './filter-chip.tsx'

/** A filter that was set elsewhere, such as one user: here it can only be removed. */
export function SetChip({ label, value, onClear }: { label: string; value: string; onClear: () => void }) {
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
      <X size={16} aria-hidden="true" className="shrink-0" />
    </button>
  )
}
