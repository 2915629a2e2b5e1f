import { formatDay } from '#web/lib/format.ts'
import { startOfDay } from './day-groups.ts'

const DAY_MS = 86_400_000
const time = new Intl.DateTimeFormat('ru-RU', { hour: '2-digit', minute: '2-digit' })

/** When something was last written, as short as it can be said: 14:05, вчера, 12 октября. */
export function whenText(moment: string, now = new Date()): string {
  const then = new Date(moment)
  const days = Math.round((startOfDay(now).getTime() - startOfDay(then).getTime()) / DAY_MS)
  if (days <= 0) return time.format(then)
  return days === 1 ? 'вчера' : formatDay(then, now)
}
