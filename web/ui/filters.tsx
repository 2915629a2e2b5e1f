import { type ReactNode, useId, useState } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { ListFilter } from '#web/ui/icons.ts'
import { Button } from './button.tsx'

/** The filters of a list. On a phone they are folded behind a button, except those that are set. */
export function Filters({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <>
      <Button
        size="sm"
        aria-expanded={isOpen}
        aria-controls={id}
        icon={<ListFilter size={16} />}
        onClick={() => setIsOpen(!isOpen)}
        className="self-start sm:hidden"
      >
        Фильтры
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
