import { type ReactNode, useId, useState } from 'react'
import { Card } from '#web/ui/card.tsx'
import { ChevronDown } from '#web/ui/icons.ts'

interface FormSectionProps {
  title: string
  description?: ReactNode
  children: ReactNode
}

export function FormSection({ title, description, children }: FormSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {description && <p className="mt-0.5 text-sm text-pretty text-muted">{description}</p>}
      <Card className="mt-3 flex flex-col gap-5">{children}</Card>
    </section>
  )
}

interface FoldedSectionProps extends FormSectionProps {
  /** What its fields say now, beside the title. */
  summary: string
  /** An error in it unfolds it. */
  hasError: boolean
}

/** Fields that are seldom changed. They stay in the page, so a save finds their errors. */
export function FoldedSection({ title, summary, hasError, description, children }: FoldedSectionProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      open={isOpen || hasError}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group/fold rounded-md border bg-surface"
    >
      <summary className="flex min-h-13 cursor-pointer list-none items-center gap-3 rounded-md px-5 py-3 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 flex-1">
          <span className="block font-semibold">{title}</span>
          <span className="block truncate text-sm text-muted group-open/fold:hidden">{summary}</span>
        </span>
        <ChevronDown size={18} className="shrink-0 text-muted transition-transform group-open/fold:rotate-180" />
      </summary>
      <div className="flex flex-col gap-5 px-5 pt-1 pb-5">
        {description && <p className="text-sm text-pretty text-muted">{description}</p>}
        {children}
      </div>
    </details>
  )
}

/** Short fields side by side on wide screens. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className="grid items-start gap-5 sm:grid-cols-2">{children}</div>
}
