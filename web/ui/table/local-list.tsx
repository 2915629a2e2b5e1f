import type { ReactNode } from 'react'
import { type Column, useColumns } from './columns.ts'
import { DataTable } from './data-table.tsx'
import { ListTools } from './list-tools.tsx'
import { mergeOrder } from './row-order.ts'
import { sortRows } from './sort.ts'
import { keepFrameBar } from './sticky.ts'
import type { RowSpec } from './table-row.tsx'
import { NothingFound, TableState } from './table-state.tsx'

interface LocalListProps<Row> {
  /** Its name in CSV files and localStorage. */
  id: string
  label: string
  searchLabel: string
  query: { data: Row[] | undefined; error: Error | null; refetch: () => unknown }
  columns: Column<Row>[]
  rowSpec: RowSpec<Row>
  local: LocalRules<Row>
  url: {
    state: { query: string; sort: string }
    change: (change: { query?: string; sort?: string }) => void
    reset: () => void
  }
  /** Called with the ids of the whole list in their new order. */
  onMove: (ids: string[]) => void
  /** Filter chips. */
  children: ReactNode
}

/** A list that is loaded whole: filtered and sorted in the browser, with a manual order. */
export function LocalList<Row>({
  id,
  label,
  searchLabel,
  query,
  columns,
  rowSpec,
  local,
  url,
  ...rest
}: LocalListProps<Row>) {
  const { state, change, reset } = url
  const chosen = useColumns(id, columns)
  const all = query.data ?? []
  const rows = filterAndSortRows(all, state, local)
  const sort = { by: state.sort, onChange: (by: string) => change({ sort: by }) }
  const move = (ids: string[]) => rest.onMove(mergeOrder(all.map(rowSpec.key), ids))
  return (
    <div ref={keepFrameBar} className="flex flex-col gap-4">
      <ListTools
        search={{ label: searchLabel, value: state.query, onChange: (text) => change({ query: text }) }}
        columns={columns}
        chosen={chosen}
        sort={sort}
        extraSort={{ id: MANUAL_ORDER, title: 'По порядку показа' }}
        csv={{ name: id, rows }}
      >
        {rest.children}
      </ListTools>
      <TableState
        query={query}
        isEmpty={query.data !== undefined && rows.length === 0}
        empty={<NothingFound onReset={reset} />}
      >
        <DataTable
          label={label}
          columns={chosen.shown}
          rows={query.data && rows}
          rowSpec={rowSpec}
          sort={sort}
          onMove={state.sort === MANUAL_ORDER ? move : undefined}
        />
      </TableState>
    </div>
  )
}

interface LocalRules<Row> {
  searchText: (row: Row) => string
  sortValue: (row: Row, id: string) => string | number | boolean | null
  matches?: (row: Row) => boolean
}

/** The manual order, in which the list is loaded. */
export const MANUAL_ORDER = 'position'

export function filterAndSortRows<Row>(
  rows: Row[],
  { query, sort }: { query: string; sort: string },
  local: LocalRules<Row>,
): Row[] {
  const queryWords = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = rows.filter((row) => {
    const text = local.searchText(row).toLowerCase()
    return (local.matches?.(row) ?? true) && queryWords.every((word) => text.includes(word))
  })
  return sort === MANUAL_ORDER ? found : sortRows(found, sort, local.sortValue)
}
