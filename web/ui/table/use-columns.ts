import { useState } from 'react'
import { type Column, type ColumnChoice, readChoice, shownColumns } from './column.ts'

const keyOf = (table: string) => `columns:${table}`

/** Which columns of a table somebody wants to see, remembered in this browser. */
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

/** A browser may refuse its storage; then the choice lasts as long as the page. */
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
