export interface DayUse {
  /** «2026-11-15». */
  day: string
  symbols: number
}

const DAY_MS = 24 * 60 * 60_000
/** The server counts days in UTC+3 (Minsk and Moscow). */
const ZONE_MS = 3 * 60 * 60_000

/** One entry per day up to today, oldest first; a missing day has zero symbols. */
export function usageDays(rows: readonly DayUse[], count: number, now = Date.now()): DayUse[] {
  const spent = new Map(rows.map(({ day, symbols }) => [day, symbols]))
  return Array.from({ length: count }, (_, i) => {
    const day = new Date(now + ZONE_MS - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10)
    return { day, symbols: spent.get(day) ?? 0 }
  })
}

/** A day that the arrow, Home and End keys lead to. */
export function nextDay(key: string, at: number, count: number): number {
  if (key === 'ArrowLeft') return Math.max(at - 1, 0)
  if (key === 'ArrowRight') return Math.min(at + 1, count - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : at
}
