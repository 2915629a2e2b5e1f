import { type LimitName, type LimitRow, limitTable, type TotalName, type Totals, totalTable } from './limit-table.ts'

/** The limits of an installation: the table with the changes from LIMITS. */
export interface LimitSettings {
  rows: Record<LimitName, LimitRow>
  totals: Totals
}

const MAX_POINTS = 1_000_000_000
const MAX_SECONDS = 30 * 86_400
const isRow = (name: string): name is LimitName => Object.hasOwn(limitTable, name)
const isTotal = (name: string): name is TotalName => Object.hasOwn(totalTable, name)

const rateNames = Object.keys(limitTable).join(', ')
const totalNames = Object.keys(totalTable).join(', ')

/** Reads `LIMITS`, for example `sends=60/60, stored-prompts=5000`: how many in how many seconds, or how many in all. */
export function readLimits(text = ''): { settings: LimitSettings; problems: string[] } {
  const rows: Record<LimitName, LimitRow> = { ...limitTable }
  const totals: Record<TotalName, number> = defaultTotals()
  const problems: string[] = []
  const parts = text.split(/[,;\n]/).map((part) => part.trim())
  for (const part of parts.filter(Boolean)) {
    const [name = '', value = ''] = part.split('=').map((side) => side.trim())
    if (isRow(name)) {
      const rate = readRate(value)
      if (rate) rows[name] = { ...limitTable[name], ...rate }
      else problems.push(`LIMITS: ${name} задаётся как «сколько/за сколько секунд», например ${name}=60/60`)
    } else if (isTotal(name)) {
      const most = readNumber(value, MAX_POINTS)
      if (most) totals[name] = most
      else problems.push(`LIMITS: ${name} задаётся целым числом от 1, например ${name}=${totalTable[name].most}`)
    } else {
      problems.push(
        `LIMITS: ограничения «${name}» нет. Есть: ${rateNames} (сколько/за сколько секунд) и ${totalNames} (сколько всего)`,
      )
    }
  }
  return { settings: { rows, totals }, problems }
}

export const defaultTotals = () =>
  Object.fromEntries(Object.entries(totalTable).map(([name, { most }]) => [name, most])) as Record<TotalName, number>

function readRate(value: string): { points: number; seconds: number } | null {
  const [many = '', time = '', ...more] = value.split('/')
  const points = readNumber(many, MAX_POINTS)
  const seconds = readNumber(time, MAX_SECONDS)
  return points && seconds && more.length === 0 ? { points, seconds } : null
}

/** Zero is not allowed: a limit cannot switch a feature off. */
function readNumber(text: string, most: number): number | null {
  const number = /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : 0
  return number >= 1 && number <= most ? number : null
}
