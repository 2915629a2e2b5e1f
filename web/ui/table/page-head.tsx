import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#web/ui/button.tsx'

interface PageHeadProps {
  title: string
  about: ReactNode
  /** The one thing to add here: a page of its own, or something that opens. */
  add?: { label: string; href: string } | { label: string; onClick: () => void }
  /** What else stands there. */
  children?: ReactNode
}

/** The top of an administrator's list. */
export function PageHead({ title, about, add, children }: PageHeadProps) {
  const icon = <Plus size={18} aria-hidden="true" />
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="max-w-2xl">
        <h1 className="text-2xl font-semibold">{title}</h1>
        <p className="mt-1 text-pretty text-muted">{about}</p>
      </div>
      {children}
      {add && 'href' in add && (
        <ButtonLink variant="primary" icon={icon} href={add.href}>
          {add.label}
        </ButtonLink>
      )}
      {add && 'onClick' in add && (
        <Button variant="primary" icon={icon} onClick={add.onClick}>
          {add.label}
        </Button>
      )}
    </header>
  )
}
