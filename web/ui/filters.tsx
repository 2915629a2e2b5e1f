import { type ReactNode, useId, useState } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { ListFilter } from '#web/ui/icons.ts'
import { Button } from './button.tsx'

interface FiltersProps {
  /** What is chosen, where the filters are not chips. */
  summary?: string
  children: ReactNode
}

/** The filters of a list. On a phone they are folded behind a button, except those that are set. */
export function Filters({ summary, children }: FiltersProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <>
      <Button
        size="sm"
        aria-expanded={isOpen}
        aria-controls={id}
        icon={<ListFilter size={16} aria-hidden="true" />}
        onClick={() => setIsOpen(!isOpen)}
        className="max-w-full self-start sm:hidden"
      >
        <span className="truncate">{summary ? `Фильтры: ${summary}` : 'Фильтры'}</span>
      </Button>
      <div
        id={id}
        className={classNames('contents', !isOpen && 'max-sm:[&>:not(.chip-on):not(:has(.chip-on))]:hidden')}
      >
        {children}
      </div>
    </>
  )
}
