import { useState } from 'react'

/** The selected rows. Shift selects all rows from the last selected one to this one. */
interface Selection {
  ids: ReadonlySet<string>
  lastId: string | null
}

export const nothingSelected: Selection = { ids: new Set(), lastId: null }

export function toggleRow({ ids, lastId }: Selection, id: string, listIds: string[], withShift: boolean): Selection {
  const isOn = !ids.has(id)
  const next = new Set(ids)
  for (const each of withShift && lastId !== null ? idsBetween(listIds, lastId, id) : [id]) {
    if (isOn) next.add(each)
    else next.delete(each)
  }
  return { ids: next, lastId: id }
}

/** Selects all visible rows, or none when all are selected. */
export function toggleAll({ ids }: Selection, listIds: string[]): Selection {
  return selectionState({ ids, lastId: null }, listIds) === 'all'
    ? nothingSelected
    : { ids: new Set(listIds), lastId: null }
}

/** Selects or deselects the rows of this page; those of other pages stay as they are. */
export function togglePage(selection: Selection, listIds: string[]): Selection {
  const isOn = selectionState(selection, listIds) !== 'all'
  const others = [...selection.ids].filter((id) => !listIds.includes(id))
  return { ids: new Set(isOn ? [...others, ...listIds] : others), lastId: null }
}

export function selectionState({ ids }: Selection, listIds: string[]): 'none' | 'some' | 'all' {
  const count = listIds.filter((id) => ids.has(id)).length
  if (count === 0) return 'none'
  return count === listIds.length ? 'all' : 'some'
}

function idsBetween(listIds: string[], one: string, other: string): string[] {
  const indexes = [listIds.indexOf(one), listIds.indexOf(other)]
  // The previous row may no longer be in the list.
  return indexes.includes(-1) ? [other] : listIds.slice(Math.min(...indexes), Math.max(...indexes) + 1)
}

/** The selected rows of a table. `rows` has only those in the list; with `isPaged` other pages stay selected. */
export function useSelection<Row>(rows: Row[], keyOf: (row: Row) => string, isPaged = false) {
  const [selection, setSelection] = useState(nothingSelected)
  const ids = rows.map(keyOf)
  return {
    selection,
    rows: rows.filter((row) => selection.ids.has(keyOf(row))),
    toggle: (id: string, withShift: boolean) => setSelection((before) => toggleRow(before, id, ids, withShift)),
    toggleAll: () => setSelection((before) => (isPaged ? togglePage(before, ids) : toggleAll(before, ids))),
    clear: () => setSelection(nothingSelected),
  }
}

export type SelectionControl = Omit<ReturnType<typeof useSelection>, 'rows'>
