/** Days of the product turn at midnight in Minsk and Moscow, both three hours ahead of UTC all year. */
export const SHIFT_HOURS = 3
const HOUR_MS = 3600_000

export function dayOf(moment: Date): string {
  return inShift(moment).slice(0, 10)
}

/** The clock on the wall there: `2026-03-01T14:05:09`. */
export function inShift(moment: Date): string {
  return new Date(moment.getTime() + SHIFT_HOURS * HOUR_MS).toISOString().slice(0, 19)
}

/** When a day (`2026-03-01`) begins; with `after`, the day that many days later. */
export function startOfDay(day: string, after = 0): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) + (after * 24 - SHIFT_HOURS) * HOUR_MS)
}
