import type { ReactNode } from 'react'
import { type Column, useColumns } from './columns.ts'
import { DataTable } from './data-table.tsx'
import { ListTools } from './list-tools.tsx'
import { Pager } from './pager.tsx'
import type { SelectionControl } from './selection.ts'
import { keepFrameBar } from './sticky.ts'
import type { RowSpec } from './table-row.tsx'
import { NothingFound, TableState } from './table-state.tsx'

interface ServerListProps<Row> {
  /** Its name in localStorage. */
  id: string
  label: string
  searchLabel: string
  query: {
    data: { items: Row[]; total: number; isMore?: boolean } | undefined
    error: Error | null
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  columns: Column<Row>[]
  rowSpec: RowSpec<Row>
  url: {
    state: { query: string; sort: string; page: number; size: number }
    change: (change: { query?: string; sort?: string; page?: number; size?: number }) => void
  }
  /** The URL of the CSV, which the server writes. */
  csv: string
  chips: ReactNode
  onReset: () => void
  /** Shown instead of «Показать все» when there are no rows. */
  empty?: ReactNode
  selection?: SelectionControl
  /** Between the tools and the table, such as totals. */
  children?: ReactNode
}

/** A list that the server filters, sorts and pages. */
export function ServerList<Row>(list: ServerListProps<Row>) {
  const { query, columns, url, selection } = list
  const { state, change } = url
  const chosen = useColumns(list.id, columns)
  const sort = { by: state.sort, onChange: (by: string) => change({ sort: by }) }
  return (
    <div ref={keepFrameBar} className="flex flex-col gap-4">
      <ListTools
        search={{ label: list.searchLabel, value: state.query, onChange: (text) => change({ query: text }) }}
        columns={columns}
        chosen={chosen}
        sort={sort}
        csv={{ href: list.csv }}
      >
        {list.chips}
      </ListTools>
      {list.children}
      <TableState
        query={query}
        isEmpty={query.data?.items.length === 0}
        empty={list.empty ?? <NothingFound onReset={list.onReset} />}
      >
        <DataTable
          label={list.label}
          columns={chosen.shown}
          rows={query.data?.items}
          rowSpec={list.rowSpec}
          sort={sort}
          {...(selection && { selection })}
          isBusy={query.isPlaceholderData}
        />
        {query.data && <Pager {...state} {...query.data} onChange={change} />}
      </TableState>
    </div>
  )
}
