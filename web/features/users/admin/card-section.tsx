import { type ReactNode, useId } from 'react'
import { findScreen } from '#contract/screens.ts'
import { Card } from '#web/ui/card.tsx'
import { Link } from '#web/ui/link.tsx'

interface CardSectionProps {
  title: string
  action?: ReactNode
  children: ReactNode
}

export function CardSection({ title, action, children }: CardSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {action}
      </div>
      <Card className="flex flex-col gap-4">{children}</Card>
    </section>
  )
}

export function CardLink({ href, children }: { href: string; children: string }) {
  return (
    findScreen(href) && (
      <Link href={href} className={linkStyle}>
        {children}
      </Link>
    )
  )
}

export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className="flex flex-col gap-2 text-[15px]">
      {facts.map(([name, value]) => (
        <div key={name} className="flex items-baseline justify-between gap-4">
          <dt className="shrink-0 text-muted">{name}</dt>
          <dd className="figures min-w-0 text-right wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export const rowStyle = 'flex items-baseline justify-between gap-4 border-b py-2.5 first:pt-0 last:border-0 last:pb-0'
export const linkStyle = 'rounded-xs text-sm text-accent-ink underline underline-offset-2 hover:no-underline'
