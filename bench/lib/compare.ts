import type { ResultPart, ResultTable } from './results.ts'
import { isMet } from './table.ts'

type ResultRow = ResultTable['rows'][number]

export interface Regression {
  table: string
  what: string
  before: number | null
  now: number | null
  reason: 'grown' | 'slower' | 'goal' | 'failed'
}

/** Relative to the floor of the same run the load of the machine cancels out; without one a time must differ more. */
const WORSE_RATIO = 1.2
const WORSE_TIME = 1.5
/** Bytes are shown in kilobytes with one digit; differences below it are not a step back. */
const EXACT_STEP = 0.1

/** What has become worse since: bytes and counts by any growth, times by more than the noise of a busy machine. */
export function findRegressions(before: readonly ResultPart[], now: readonly ResultPart[]): Regression[] {
  const known = new Map(before.flatMap(rowsOf))
  return now.flatMap(rowsOf).flatMap(([key, { table, row }]) => {
    const old = known.get(key)?.row
    const reason = old && reasonOf(old, row)
    return reason ? [{ table, what: row.what, before: old.ours, now: row.ours, reason }] : []
  })
}

function rowsOf({ part, tables }: ResultPart): [string, { table: string; row: ResultRow }][] {
  return tables.flatMap(({ title, rows }) => rows.map((row, i) => [keyOf(part, title, rows, i), { table: title, row }]))
}

/** Two rows of a table may have the same name: the number among them keeps them apart. */
function keyOf(part: string, title: string, rows: readonly ResultRow[], index: number): string {
  const what = rows[index]?.what
  return JSON.stringify([part, title, what, rows.slice(0, index).filter((row) => row.what === what).length])
}

function reasonOf(old: ResultRow, row: ResultRow): Regression['reason'] | null {
  if (old.ours === null) return null
  if (row.ours === null) return 'failed'
  if (row.isExact) return row.ours - old.ours >= EXACT_STEP ? 'grown' : null
  const besideFloor = isPositive(old.floor) && isPositive(row.floor)
  const [was, is] = [old, row].map((one) => costOf(one, besideFloor))
  if (was === undefined || is === undefined || is <= was) return null
  if (was > 0 && is > was * (besideFloor ? WORSE_RATIO : WORSE_TIME)) return 'slower'
  return isMet(old) && !isMet(row) ? 'goal' : null
}

const isPositive = (value: number | null | undefined): value is number => typeof value === 'number' && value > 0

/** A cost, where less is better: a figure that should be large is inverted. */
function costOf({ ours, floor, goal }: ResultRow, besideFloor: boolean): number {
  const figure = (ours ?? 0) / (besideFloor && isPositive(floor) ? floor : 1)
  return goal && 'leastShare' in goal ? 1 / figure : figure
}
