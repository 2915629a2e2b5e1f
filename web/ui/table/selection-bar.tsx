import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/button.tsx'

interface SelectionBarProps {
  count: number
  onClear: () => void
  children: ReactNode
}

/** Actions for the selected rows; floats over the end of the list while there are any. */
export function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  if (count === 0) return null
  return (
    <div
      role="toolbar"
      aria-label="Действия с выбранными строками"
      className="sticky bottom-4 z-20 mx-auto flex max-w-full flex-wrap items-center justify-center gap-x-2 rounded-lg border bg-surface p-1.5 shadow-float"
    >
      <IconButton size="sm" label="Снять выделение" icon={<X size={18} aria-hidden="true" />} onClick={onClear} />
      <span role="status" className="figures px-1.5 text-sm">
        Выбрано {formatNumber(count)}
      </span>
      {children}
    </div>
  )
}
