import { type ReactNode, useId } from 'react'
import { Card } from '#web/ui/card.tsx'

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

/** Short fields side by side on wide screens. */
export function FieldRow({ children }: { children: ReactNode }) {
  return <div className="grid items-start gap-5 sm:grid-cols-2">{children}</div>
}
