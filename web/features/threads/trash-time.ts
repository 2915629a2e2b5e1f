import { TRASH_DAYS } from '#contract/threads.ts'
import { plural } from '#web/lib/format.ts'

const DAY_MS = 86_400_000

/** How long a deleted thread still waits, in words. */
export function trashTime(deletedAt: string, now = new Date()): string {
  const left = Date.parse(deletedAt) + TRASH_DAYS * DAY_MS - now.getTime()
  const days = Math.ceil(left / DAY_MS)
  return days <= 1 ? 'Исчезнет в течение дня' : `Исчезнет через ${days} ${plural(days, 'день', 'дня', 'дней')}`
}
