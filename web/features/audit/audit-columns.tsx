import type { AuditEntry } from '#contract/audit.ts'
import { actionLabel, kindLabel } from '#contract/audit-labels.ts'
import { formatMoment, formatNumber } from '#web/lib/format.ts'
import { Address } from '#web/ui/table/address.tsx'
import type { Column } from '#web/ui/table/column.ts'
import { AuditTarget } from './audit-target.tsx'

/** Without `text`: the server writes the CSV. */
export const auditColumns: Column<AuditEntry>[] = [
  { id: 'action', title: 'Что сделано', cell: ({ action }) => actionLabel(action) },
  { id: 'target', title: 'С чем', cell: (entry) => <AuditTarget entry={entry} /> },
  { id: 'kind', title: 'Вид', isExtra: true, cell: ({ kind }) => kindLabel(kind) },
  { id: 'note', title: 'Причина', isExtra: true, isWide: true, cell: ({ note }) => note },
  { id: 'actor', title: 'Кто', cell: ({ actorEmail }) => <Address text={actorEmail} /> },
  {
    id: 'at',
    title: 'Когда',
    isSortable: true,
    cell: ({ at }) => <span className="sm:whitespace-nowrap">{formatMoment(at)}</span>,
  },
  { id: 'ip', title: 'Откуда', cell: ({ ip }) => <span className="figures">{ip}</span> },
  { id: 'number', title: 'Номер', isExtra: true, isFigure: true, cell: ({ id }) => formatNumber(id) },
]
