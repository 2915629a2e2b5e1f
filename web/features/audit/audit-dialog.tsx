import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AuditEntry } from '#contract/audit.ts'
import { actionLabel, kindLabel } from '#contract/audit-labels.ts'
import { formatDateTime, formatNumber } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Callout } from '#web/ui/callout.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { AuditDifference } from './audit-difference.tsx'
import { AuditTarget } from './audit-target.tsx'
import { auditEntryQuery } from './queries.ts'

export function AuditDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: entry, error } = useQuery(auditEntryQuery(id))
  return (
    <Dialog open onClose={onClose} title={entry ? actionLabel(entry.action) : `Запись № ${formatNumber(id)}`}>
      {entry && <Details entry={entry} />}
      {!entry && (error ? <Callout tone="danger">{error.message}</Callout> : <Skeleton className="h-48" />)}
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
          <TextLink href={paths.adminUser(actorId)}>{actorEmail}</TextLink>
        </Line>
        <Line name="Когда">{formatDateTime(at)}</Line>
        {target && (
          <Line name={kindLabel(kind)}>
            <AuditTarget entry={entry} />
            <TextLink href={`${paths.adminAudit()}?target=${encodeURIComponent(target)}`}>
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
