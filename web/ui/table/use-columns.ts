import { useState } from 'react'
import { type Column, type ColumnChoice, readChoice, shownColumns } from './column.ts'

const keyOf = (table: string) => `columns:${table}`

/** The visible columns of a table, stored in localStorage. */
export function useColumns<Row>(table: string, columns: Column<Row>[]) {
  const [choice, setChoice] = useState<ColumnChoice>(() => readChoice(recall(keyOf(table))))
  return {
    shown: shownColumns(columns, choice),
    choice,
    choose: (id: string, isShown: boolean) => {
      const next = { ...choice, [id]: isShown }
      setChoice(next)
      keep(keyOf(table), JSON.stringify(next))
    },
  }
}

/** Storage may be unavailable; then the choice lasts until the page is closed. */
function recall(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function keep(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    return
  }
}
