import { transactionsApi } from '#contract/transactions.ts'

const directions = ['all', 'in', 'out'] as const
export type Direction = (typeof directions)[number]

/** Stored in the URL. */
export interface OperationFilter {
  direction: Direction
  /** Days, both included; null for no limit. */
  from: string | null
  to: string | null
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const names = { direction: 'operations', from: 'from', to: 'to' } as const

export function readFilter(params: URLSearchParams): OperationFilter {
  const wanted = params.get(names.direction)
  return {
    direction: directions.find((direction) => direction === wanted) ?? 'all',
    from: readDay(params.get(names.from)),
    to: readDay(params.get(names.to)),
  }
}

function readDay(text: string | null): string | null {
  return text && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
}

/** The URL parameters with another filter; other parameters stay. */
export function writeFilter(params: URLSearchParams, filter: OperationFilter): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const key of ['direction', 'from', 'to'] as const) {
    const value = filter[key]
    if (value === null || value === 'all') next.delete(names[key])
    else next.set(names[key], value)
  }
  return next
}

export function isFiltered({ direction, from, to }: OperationFilter): boolean {
  return direction !== 'all' || from !== null || to !== null
}

export function toOperationQuery({ direction, from, to }: OperationFilter) {
  return { ...(direction !== 'all' && { direction }), ...(from && { from }), ...(to && { to }) }
}

export function csvAddress(filter: OperationFilter): string {
  const query = new URLSearchParams(toOperationQuery(filter)).toString()
  return query === '' ? transactionsApi.csv.path : `${transactionsApi.csv.path}?${query}`
}
