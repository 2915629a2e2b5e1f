/** A sort is a column's id, with a minus before it from the end; as the calls of the administrators' lists take it. */

export type Direction = 'ascending' | 'descending'

export function directionOf(sort: string, id: string): Direction | null {
  if (sort === id) return 'ascending'
  return sort === `-${id}` ? 'descending' : null
}

/** What a click on a column's head asks for: first from the start, then from the end. */
export function nextSort(sort: string, id: string): string {
  return sort === id ? `-${id}` : id
}

const collator = new Intl.Collator('ru', { numeric: true, sensitivity: 'base' })
type Value = string | number | boolean | null

/** Rows that are all here anyway are sorted here; what has no value stands last either way. */
export function sortRows<Row>(rows: Row[], sort: string, valueFor: (row: Row, id: string) => Value): Row[] {
  const id = sort.replace(/^-/, '')
  const sign = sort.startsWith('-') ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [valueFor(one, id), valueFor(other, id)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return sign * compare(a, b)
  })
}

function compare(a: string | number | boolean, b: string | number | boolean): number {
  return typeof a === 'string' || typeof b === 'string' ? collator.compare(String(a), String(b)) : Number(a) - Number(b)
}
