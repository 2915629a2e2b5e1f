import { once } from '#web/lib/once.ts'

/** A sort is a column id, with a leading minus for descending, as in the admin API. */

export type Direction = 'ascending' | 'descending'

export function directionOf(sort: string, id: string): Direction | null {
  if (sort === id) return 'ascending'
  return sort === `-${id}` ? 'descending' : null
}

/** The sort after a click on a header: ascending first, then descending. */
export function nextSort(sort: string, id: string): string {
  return sort === id ? `-${id}` : id
}

const collator = once(() => new Intl.Collator('ru', { numeric: true, sensitivity: 'base' }))
type Value = string | number | boolean | null

/** Sorts loaded rows; rows without a value are last in both directions. */
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
  return typeof a === 'string' || typeof b === 'string'
    ? collator().compare(String(a), String(b))
    : Number(a) - Number(b)
}
