import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit.ts'
import { actionLabel, kindLabel } from '#contract/audit-labels.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { formatDateTime, formatNumber } from '#web/lib/format.ts'
import { Callout } from '#web/ui/callout.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ArrowRight } from '#web/ui/icons.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { type Difference, differences } from './audit-fields.ts'
import { AuditTarget } from './audit-target.tsx'
import { auditEntryQuery } from './queries.ts'

export function AuditDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: entry, error } = useQuery(auditEntryQuery(id))
  return (
    <Dialog open onClose={onClose} title={entry ? actionLabel(entry.action) : `Запись № ${formatNumber(id)}`}>
      {entry && <Details entry={entry} />}
      {!entry && (error ? <Callout tone="danger">{callErrorText(error)}</Callout> : <Skeleton className="h-48" />)}
    </Dialog>
  )
}

function Details({ entry }: { entry: AuditEntry }) {
  const { id, at, actorEmail, actorId, kind, target, note, ip, userAgent, requestId, hash } = entry
  return (
    <div className="flex flex-col gap-5 text-[15px]">
      <AuditDifference entry={entry} />
      {note && (
        <blockquote className="border-l-2 border-line-strong pl-4 whitespace-pre-line wrap-anywhere">{note}</blockquote>
      )}
      <dl className="grid gap-x-5 sm:grid-cols-[auto_1fr] sm:gap-y-2">
        <Line name="Кто">
          <TextLink href={adminPaths.user(actorId)}>{actorEmail}</TextLink>
        </Line>
        <Line name="Когда">{formatDateTime(at)}</Line>
        {target && (
          <Line name={kindLabel(kind)}>
            <AuditTarget entry={entry} />
            <TextLink href={`${adminPaths.audit()}?target=${encodeURIComponent(target)}`}>
              <span className="block text-sm">Вся история</span>
            </TextLink>
          </Line>
        )}
        {ip && <Line name="Адрес">{ip}</Line>}
        {userAgent && <Line name="Браузер">{userAgent}</Line>}
        {requestId && <Line name="Запрос">{requestId}</Line>}
        <Line name="Запись">№ {formatNumber(id)}</Line>
        <Line name="Хеш">
          <code className="text-sm">{hash}</code>
        </Line>
      </dl>
    </div>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted max-sm:text-sm">{name}</dt>
      <dd className="min-w-0 wrap-anywhere max-sm:mb-2.5">{children}</dd>
    </>
  )
}

/** The value before and after. The old one is also struck out and labelled: colour is never the only sign. */
function AuditDifference({ entry: { kind, before, after } }: { entry: AuditEntry }) {
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
          <ArrowRight size={16} className="shrink-0 text-muted" />
          <ins className="font-medium whitespace-pre-line no-underline">
            <span className="sr-only">стало: </span>
            {after}
          </ins>
        </>
      )}
    </>
  )
}
