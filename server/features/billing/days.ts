/** Days begin at midnight in Minsk and Moscow: UTC+3 all year, without daylight saving. */
export const UTC_OFFSET_HOURS = 3
const HOUR_MS = 3600_000

export function dayOf(time: Date): string {
  return localTime(time).slice(0, 10)
}

/** Local time in UTC+3: `2026-03-01T14:05:09`. */
export function localTime(time: Date): string {
  return new Date(time.getTime() + UTC_OFFSET_HOURS * HOUR_MS).toISOString().slice(0, 19)
}

/** The same in a cell of a table: `2026-03-01 14:05:09`. */
export const timeCell = (time: Date | string | null) => time && localTime(new Date(time)).replace('T', ' ')

/** When a day (`2026-03-01`) begins, or the day `after` days later. */
export function startOfDay(day: string, after = 0): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + (after * 24 - UTC_OFFSET_HOURS) * HOUR_MS)
}
