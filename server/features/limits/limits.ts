import type { LimitTables } from '#contract/limits.ts'
import { refusalsOf, refusalsSince } from '#server/http/limit-refusals.ts'
import type { LimitSettings } from '#server/http/limit-settings.ts'
import { type LimitName, type LimitRow, limitTable, type TotalName, totalTable } from '#server/http/limit-table.ts'

/** Every limit as it holds here, what it would be without the setting, and how often this process refused by it. */
export function describeLimits({ rows, totals }: LimitSettings): LimitTables {
  return {
    rates: (Object.entries(rows) as [LimitName, LimitRow][]).map(([name, { title, per, points, seconds, isLocal }]) => {
      const { points: usualPoints, seconds: usualSeconds } = limitTable[name]
      const isUsual = points === usualPoints && seconds === usualSeconds
      return {
        ...{ name, title, per, points, seconds },
        isLocal: isLocal ?? false,
        usual: isUsual ? null : { points: usualPoints, seconds: usualSeconds },
        refused: refusalsOf(name),
      }
    }),
    totals: (Object.entries(totals) as [TotalName, number][]).map(([name, most]) => {
      const { title, per, most: usual } = totalTable[name]
      return { name, title, per, most, usual: most === usual ? null : usual, refused: refusalsOf(name) }
    }),
    since: refusalsSince().toISOString(),
  }
}
