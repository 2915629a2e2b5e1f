import { ArrowDown } from 'lucide-react'

interface ToEndButtonProps {
  hasNew: boolean
  onClick: () => void
}

export function ToEndButton({ hasNew, onClick }: ToEndButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="absolute -top-12 left-1/2 flex h-9 -translate-x-1/2 animate-[appear_140ms_ease-out] items-center gap-2 rounded-full border bg-surface pr-4 pl-3 text-sm whitespace-nowrap shadow-float transition-colors hover:bg-hover"
    >
      <span className="relative">
        <ArrowDown size={18} aria-hidden="true" />
        {hasNew && <span className="absolute -top-0.5 -right-1 size-2 rounded-full bg-accent-ink" />}
      </span>
      К последнему
      {hasNew && <span className="sr-only">, есть новое</span>}
    </button>
  )
}
