import type { ReactNode } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/button.tsx'
import { X } from '#web/ui/icons.ts'

interface SelectionBarProps {
  count: number
  label?: string
  className?: string
  onClear: () => void
  children: ReactNode
}

/** Actions for the selected rows; floats over the end of the list while there are any. */
export function SelectionBar({ count, label, className, onClear, children }: SelectionBarProps) {
  if (count === 0) return null
  return (
    <div
      role="toolbar"
      aria-label={label ?? 'Действия с выбранными строками'}
      className={classNames(
        'sticky bottom-4 z-20 mx-auto flex max-w-full flex-wrap items-center justify-center gap-x-2 rounded-lg border bg-surface p-1.5 shadow-float',
        className,
      )}
    >
      <span className="flex items-center">
        <IconButton size="sm" label="Снять выделение" icon={<X size={18} />} onClick={onClear} />
        <span role="status" className="figures px-1.5 text-sm">
          Выбрано {formatNumber(count)}
        </span>
      </span>
      {children}
    </div>
  )
}
