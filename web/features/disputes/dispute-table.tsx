import { useQuery } from '@tanstack/react-query'
import { type Dispute, disputeSorts } from '#contract/disputes.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { formatDateTime, formatNumber } from '#web/lib/format.ts'
import { choiceParam, tableParams, useUrlState } from '#web/lib/url-state.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Filters } from '#web/ui/filters.tsx'
import { Scale } from '#web/ui/icons.ts'
import { Address } from '#web/ui/table/address.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { DataTable } from '#web/ui/table/data-table.tsx'
import { FilterChip } from '#web/ui/table/filter-chip.tsx'
import { SortChoice, toolsStyle } from '#web/ui/table/list-tools.tsx'
import { Pager } from '#web/ui/table/pager.tsx'
import { SearchBox } from '#web/ui/table/search-box.tsx'
import { keepFrameBar, keepTools } from '#web/ui/table/sticky.ts'
import type { RowSpec } from '#web/ui/table/table-row.tsx'
import { NothingFound, TableState } from '#web/ui/table/table-state.tsx'
import { outcomeLabel, statusLabel } from './dispute-labels.ts'
import { disputeListQuery } from './queries.ts'

/** Without a filter in the URL the open disputes are shown. */
const params = {
  ...tableParams(disputeSorts, 'createdAt'),
  show: choiceParam(['returned', 'refused', 'all']),
}
const options = [
  { value: 'returned', label: 'Возвращённые' },
  { value: 'refused', label: 'С отказом' },
  { value: 'all', label: 'Все' },
] as const

export function DisputeTable({ kindLabels }: { kindLabels: (kind: Dispute['entry']['kind']) => string }) {
  const { state, change, reset } = useUrlState(params)
  const { show, query, ...rest } = state
  const status = show === 'all' ? undefined : (show ?? 'open')
  const found = useQuery(disputeListQuery({ ...rest, ...(query && { query }), ...(status && { status }) }))
  const sort = { by: state.sort, onChange: (by: string) => change({ sort: by }) }
  const rows = found.data?.items
  const columns = columnsWith(kindLabels)
  const isUnfiltered = show === null && query === ''
  return (
    <div ref={keepFrameBar} className="flex flex-col gap-4">
      <div ref={keepTools} className={toolsStyle}>
        <SearchBox label="Почта, имя или слова" value={query} onChange={(next) => change({ query: next })} />
        <Filters>
          <FilterChip
            label="Состояние"
            any="Ждут решения"
            value={show}
            options={options}
            onChange={(next) => change({ show: next })}
          />
          <SortChoice columns={columns} sort={sort} />
        </Filters>
      </div>
      <TableState
        query={found}
        isEmpty={rows?.length === 0}
        empty={isUnfiltered ? <NoOpenDisputes /> : <NothingFound onReset={reset} />}
      >
        <DataTable
          label="Оспоренные списания"
          columns={columns}
          rows={rows}
          rowSpec={rowSpec}
          sort={sort}
          isBusy={found.isPlaceholderData}
        />
        {found.data && <Pager {...state} total={found.data.total} onChange={change} />}
      </TableState>
    </div>
  )
}

const rowSpec: RowSpec<Dispute> = {
  key: ({ id }) => id,
  name: ({ user }) => user.email,
  href: ({ id }) => adminPaths.dispute(id),
  isDim: ({ status }) => status !== 'open',
}

const columnsWith = (kindLabels: (kind: Dispute['entry']['kind']) => string): Column<Dispute>[] => [
  { id: 'user', title: 'Пользователь', cell: ({ user }) => <Address text={user.email} /> },
  { id: 'reason', title: 'Причина', isWide: true, cell: ({ reason }) => <Shortened text={reason} /> },
  { id: 'kind', title: 'Услуга', cell: ({ entry }) => kindLabels(entry.kind) },
  {
    id: 'symbols',
    title: 'Списано',
    isSortable: true,
    isNumeric: true,
    cell: ({ entry }) => formatNumber(-entry.symbols),
  },
  {
    id: 'createdAt',
    title: 'Оспорено',
    isSortable: true,
    cell: ({ createdAt }) => <span className="sm:whitespace-nowrap">{formatDateTime(createdAt)}</span>,
  },
  {
    id: 'status',
    title: 'Решение',
    cell: (dispute) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 max-sm:justify-end">
        <Badge tone={statusLabel[dispute.status].tone}>{statusLabel[dispute.status].label}</Badge>
        <span className="figures">{outcomeLabel(dispute)}</span>
      </span>
    ),
  },
]

function Shortened({ text }: { text: string }) {
  return <span className="line-clamp-2 wrap-anywhere">{text}</span>
}

function NoOpenDisputes() {
  return (
    <EmptyState
      icon={<Scale />}
      title="Нет списаний, ждущих решения"
      text="Когда кто-то оспорит списание в своих операциях, оно появится здесь: вы увидите, из чего оно сложилось, и вернёте символы или объясните, почему нет."
    />
  )
}
