import type { ReactNode } from 'react'

export interface Column<Row> {
  id: string
  title: string
  cell: (row: Row) => ReactNode
  /** Beside the name of the row, and no part of it. */
  note?: (row: Row) => ReactNode
  /** What a spreadsheet says of it; without this it stays out of one. */
  text?: (row: Row) => string | number | null
  isSortable?: boolean
  /** Figures stand at the end of their column. */
  isFigure?: boolean
  /** Sentences need room. */
  isWide?: boolean
  /** Not shown until somebody asks for it. */
  isExtra?: boolean
}

/** What somebody chose to see or not; columns he never touched follow their own default. */
export type ColumnChoice = Record<string, boolean>

/** The first column names the row: it is always there. */
export function shownColumns<Row>(columns: Column<Row>[], choice: ColumnChoice): Column<Row>[] {
  return columns.filter((column, place) => place === 0 || isChosen(column, choice))
}

export function isChosen({ id, isExtra }: Pick<Column<unknown>, 'id' | 'isExtra'>, choice: ColumnChoice): boolean {
  return choice[id] ?? !isExtra
}

/** Whatever stands in the storage, a usable choice comes out. */
export function readChoice(text: string | null): ColumnChoice {
  try {
    const kept: unknown = JSON.parse(text ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(
      Object.entries(kept).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
    )
  } catch {
    return {}
  }
}
