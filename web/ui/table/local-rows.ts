import { sortRows } from './sort.ts'

export interface Local<Row> {
  /** The text that is searched. */
  words: (row: Row) => string
  value: (row: Row, id: string) => string | number | boolean | null
  /** Whether the row matches the filter chips. */
  fits?: (row: Row) => boolean
}

/** The manual order, in which the list is loaded. */
export const BY_HAND = 'position'

/** Filters and sorts a loaded list. */
export function pickRows<Row>(rows: Row[], { query, sort }: { query: string; sort: string }, local: Local<Row>): Row[] {
  const asked = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = rows.filter((row) => {
    const words = local.words(row).toLowerCase()
    return (local.fits?.(row) ?? true) && asked.every((word) => words.includes(word))
  })
  return sort === BY_HAND ? found : sortRows(found, sort, local.value)
}
