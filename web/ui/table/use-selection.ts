import { useState } from 'react'
import { nothingSelected, toggleAll, toggleRow } from './selection.ts'

/** The ticked rows of a table. What has left the list meanwhile is not ticked any more. */
export function useSelection<Row>(rows: Row[], keyOf: (row: Row) => string) {
  const [selection, setSelection] = useState(nothingSelected)
  const ids = rows.map(keyOf)
  return {
    selection,
    rows: rows.filter((row) => selection.ids.has(keyOf(row))),
    tick: (id: string, withShift: boolean) => setSelection((before) => toggleRow(before, id, ids, withShift)),
    tickAll: () => setSelection((before) => toggleAll(before, ids)),
    clear: () => setSelection(nothingSelected),
  }
}

export type SelectionControl = Omit<ReturnType<typeof useSelection>, 'rows'>
