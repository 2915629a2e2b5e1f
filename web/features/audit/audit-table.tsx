import { useQuery } from '@tanstack/react-query'
import { type AuditEntry, auditApi, auditSorts } from '#contract/audit.ts'
import { actionLabel, kindLabel } from '#contract/audit-labels.ts'
import { addressOf } from '#contract/endpoint.ts'
import { formatDateTime, formatNumber } from '#web/lib/format.ts'
import {
  dayParam,
  filled,
  integerParam,
  type StateOf,
  tableParams,
  textParam,
  useUrlState,
} from '#web/lib/url-state.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ScrollText } from '#web/ui/icons.ts'
import { Address } from '#web/ui/table/address.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { ServerList } from '#web/ui/table/server-list.tsx'
import type { RowSpec } from '#web/ui/table/table-row.tsx'
import { AuditDialog } from './audit-dialog.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { AuditTarget } from './audit-target.tsx'
import { auditListQuery } from './queries.ts'

const params = {
  ...tableParams(auditSorts, '-at'),
  actor: textParam(),
  kind: textParam(),
  action: textParam(),
  target: textParam(),
  from: dayParam(),
  to: dayParam(),
  /** The open row. */
  entry: integerParam(0, 0, 999_999_999),
}
type AuditState = StateOf<typeof params>

export function AuditTable() {
  const { state, change, reset } = useUrlState(params)
  const { entry, page, ...filter } = state
  const log = useQuery(auditListQuery({ ...filled(filter), page }))
  const { sort: _, size: __, ...filters } = filter
  const hasFilters = Object.values(filters).some(Boolean)
  // Opening a row keeps the page and adds a history entry, so «Back» closes it.
  const open = (id: number) => change({ entry: id, page })

  if (log.data?.total === 0 && !hasFilters) return <NothingYet />
  return (
    <>
      <ServerList
        id="audit"
        label="Журнал"
        searchLabel="Почта, номер, причина"
        query={log}
        columns={auditColumns}
        rowSpec={rowSpecWith(open)}
        url={{ state, change }}
        csv={csvAddress(filter)}
        chips={<AuditFilters state={state} change={change} />}
        onReset={reset}
      />
      {entry > 0 && <AuditDialog id={entry} onClose={() => change({ entry: 0, page })} />}
    </>
  )
}

type AuditFilter = Omit<AuditState, 'entry' | 'page'>

/** Every row that matches the filter, not only the page. */
function csvAddress(filter: AuditFilter): string {
  const { size: _, ...filters } = filter
  return addressOf(auditApi.csv, { query: filled(filters) })
}

const rowSpecWith = (open: (id: number) => void): RowSpec<AuditEntry> => ({
  key: ({ id }) => String(id),
  name: ({ id, action }) => `${actionLabel(action)}, запись ${formatNumber(id)}`,
  onOpen: ({ id }) => open(id),
})

function NothingYet() {
  return (
    <EmptyState
      icon={<ScrollText />}
      title="В журнале пока пусто"
      text="Здесь появится каждое действие администраторов: кто, когда и что изменил."
    />
  )
}

/** Without `text`: the server writes the CSV. */
const auditColumns: Column<AuditEntry>[] = [
  { id: 'action', title: 'Действие', cell: ({ action }) => actionLabel(action) },
  { id: 'target', title: 'Объект', cell: (entry) => <AuditTarget entry={entry} /> },
  { id: 'kind', title: 'Вид', isExtra: true, cell: ({ kind }) => kindLabel(kind) },
  { id: 'note', title: 'Причина', isExtra: true, isWide: true, cell: ({ note }) => note },
  { id: 'actor', title: 'Администратор', cell: ({ actorEmail }) => <Address text={actorEmail} /> },
  {
    id: 'at',
    title: 'Время',
    isSortable: true,
    cell: ({ at }) => <span className="sm:whitespace-nowrap">{formatDateTime(at)}</span>,
  },
  { id: 'ip', title: 'IP-адрес', isMinor: true, cell: ({ ip }) => <span className="figures">{ip}</span> },
  { id: 'number', title: 'Номер', isExtra: true, isNumeric: true, cell: ({ id }) => formatNumber(id) },
]
