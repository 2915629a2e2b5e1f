import type { ReactNode } from 'react'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface TotalsStripProps {
  label: string
  /** Undefined while loading. */
  figures: { name: string; value: ReactNode }[] | undefined
  isBusy?: boolean
}

/** Totals of all rows that match the filter, not only of the page. */
export function TotalsStrip({ label, figures, isBusy }: TotalsStripProps) {
  if (!figures) return <Skeleton className="h-[4.25rem] rounded-md" />
  return (
    <section
      aria-label={label}
      aria-busy={isBusy || undefined}
      className="rounded-md border bg-surface px-4 py-3 aria-busy:opacity-60"
    >
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="figures text-lg font-medium">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
