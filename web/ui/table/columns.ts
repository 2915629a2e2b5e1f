import { type ReactNode, useState } from 'react'

export interface Column<Row> {
  id: string
  title: string
  cell: (row: Row) => ReactNode
  /** Shown beside the name, outside its link. */
  note?: (row: Row) => ReactNode
  /** The value in CSV; without it the column is left out. */
  text?: (row: Row) => string | number | null
  isSortable?: boolean
  /** Aligned right. */
  isNumeric?: boolean
  /** With a minimum width, for sentences; the first column then takes all the width that the others leave. */
  isWide?: boolean
  /** Hidden by default. */
  isExtra?: boolean
  /** Left out where the table is narrow, until the user asks for it; what it says is in the row's page or drawer. */
  isMinor?: boolean
}

/** Cards have all columns. */
export const hiddenBelow = ({ isMinor }: Pick<Column<unknown>, 'isMinor'>) =>
  isMinor ? 'sm:@max-[56rem]:hidden' : undefined

/** The user's choice of visible columns; columns without an entry follow their default. */
export type ColumnChoice = Record<string, boolean>

/** The first column names the row and is always shown. */
export function shownColumns<Row>(columns: Column<Row>[], choice: ColumnChoice): Column<Row>[] {
  return columns
    .filter((column, index) => index === 0 || isChosen(column, choice))
    .map((column) => (choice[column.id] ? { ...column, isMinor: false } : column))
}

export function isChosen({ id, isExtra }: Pick<Column<unknown>, 'id' | 'isExtra'>, choice: ColumnChoice): boolean {
  return choice[id] ?? !isExtra
}

/** Parses the stored choice; invalid data is ignored. */
export function readChoice(text: string | null): ColumnChoice {
  try {
    const stored: unknown = JSON.parse(text ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(
      Object.entries(stored).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
    )
  } catch {
    return {}
  }
}

const keyOf = (table: string) => `columns:${table}`

/** The visible columns of a table, stored in localStorage. */
export function useColumns<Row>(table: string, columns: Column<Row>[]) {
  const [choice, setChoice] = useState<ColumnChoice>(() => readChoice(readStored(keyOf(table))))
  return {
    shown: shownColumns(columns, choice),
    choice,
    choose: (id: string, isShown: boolean) => {
      const next = { ...choice, [id]: isShown }
      setChoice(next)
      writeStored(keyOf(table), JSON.stringify(next))
    },
  }
}

/** Storage may be unavailable; then the choice lasts until the page is closed. */
function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function writeStored(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    return
  }
}
