import { ArrowRight } from 'lucide-react'
import type { AuditEntry } from '#contract/audit.ts'
import { type Difference, differences } from './audit-fields.ts'

/** The value before and after. The old one is also struck out and labelled: colour is never the only sign. */
export function AuditDifference({ entry: { kind, before, after } }: { entry: AuditEntry }) {
  const rows = differences(kind, before, after)
  if (rows.length === 0) return before && after ? <p className="text-muted">Значения остались прежними.</p> : null
  return (
    <dl className="figures flex flex-col divide-y rounded-md border">
      {rows.map((row) => (
        <div key={row.name} className="px-4 py-2.5">
          <dt className="text-sm text-muted">{row.label}</dt>
          <dd className="flex flex-wrap items-center gap-x-2 wrap-anywhere">
            <Values {...row} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Values({ before, after }: Difference) {
  if (before === null) return <span className="whitespace-pre-line">{after}</span>
  return (
    <>
      <del className="whitespace-pre-line text-muted">
        <span className="sr-only">было: </span>
        {before}
      </del>
      {after !== null && (
        <>
          <ArrowRight size={16} aria-hidden="true" className="shrink-0 text-muted" />
          <ins className="font-medium whitespace-pre-line no-underline">
            <span className="sr-only">стало: </span>
            {after}
          </ins>
        </>
      )}
    </>
  )
}
