import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Plus } from '#web/ui/icons.ts'

interface PageHeadProps {
  title: string
  description: ReactNode
  add?: { label: string; href: string } | { label: string; onClick: () => void }
  /** Further content of the header. */
  children?: ReactNode
}

export function PageHead({ title, description, add, children }: PageHeadProps) {
  const icon = <Plus size={18} />
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="max-w-2xl">
        <h1 className="text-2xl font-semibold">{title}</h1>
        <p className="mt-1 text-pretty text-muted">{description}</p>
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
