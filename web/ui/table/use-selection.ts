import { useState } from 'react'
import { nothingSelected, toggleAll, toggleRow } from './selection.ts'

/** The selected rows of a table. `rows` has only those that are still in the list. */
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
