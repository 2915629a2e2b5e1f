interface DayUse {
  /** «2026-11-15». */
  day: string
  symbols: number
}

const DAY_MS = 24 * 60 * 60_000
/** The server counts days in UTC+3 (Minsk and Moscow). */
const ZONE_MS = 3 * 60 * 60_000

/** One entry per day up to today, oldest first: the sum of its rows, or zero. */
export function lastDays(rows: readonly DayUse[], count: number, now = Date.now()): DayUse[] {
  const spent = new Map<string, number>()
  for (const { day, symbols } of rows) spent.set(day, (spent.get(day) ?? 0) + symbols)
  return Array.from({ length: count }, (_, i) => {
    const day = new Date(now + ZONE_MS - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10)
    return { day, symbols: spent.get(day) ?? 0 }
  })
}
