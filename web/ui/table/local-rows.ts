import { sortRows } from './sort.ts'

export interface Local<Row> {
  /** What a search looks through. */
  words: (row: Row) => string
  value: (row: Row, id: string) => string | number | boolean | null
  /** What the chips let through. */
  fits?: (row: Row) => boolean
}

/** The order made by hand: the one the list comes in. */
export const BY_HAND = 'position'

/** A whole list, narrowed and sorted on the page. */
export function pickRows<Row>(rows: Row[], { query, sort }: { query: string; sort: string }, local: Local<Row>): Row[] {
  const asked = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = rows.filter((row) => {
    const words = local.words(row).toLowerCase()
    return (local.fits?.(row) ?? true) && asked.every((word) => words.includes(word))
  })
  return sort === BY_HAND ? found : sortRows(found, sort, local.value)
}
