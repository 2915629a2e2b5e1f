import { type Thread, TRASH_DAYS } from '#contract/threads.ts'
import { plural } from '#web/lib/format.ts'
import { once } from '#web/lib/once.ts'

/** Dates in lists of threads, in the time zone of the browser. */

const DAY_MS = 86_400_000
const month = once(() => new Intl.DateTimeFormat('ru-RU', { month: 'long' }))

interface DayGroup<Row> {
  title: string
  rows: Row[]
}

/** Groups rows under day headings. Rows come pinned first, then newest first. */
export function groupByDay<Row extends Pick<Thread, 'pinned' | 'updatedAt'>>(rows: Row[], now: Date): DayGroup<Row>[] {
  const groups: DayGroup<Row>[] = []
  for (const row of rows) {
    const title = row.pinned ? 'Закреплённые' : dayTitle(new Date(row.updatedAt), now)
    const last = groups.at(-1)
    if (last?.title === title) last.rows.push(row)
    else groups.push({ title, rows: [row] })
  }
  return groups
}

function dayTitle(then: Date, now: Date): string {
  const days = daysBetween(then, now)
  if (days <= 0) return 'Сегодня'
  if (days === 1) return 'Вчера'
  if (days <= 7) return '7 дней'
  const name = month().format(then)
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  return then.getFullYear() === now.getFullYear() ? title : `${title} ${then.getFullYear()}`
}

/** Calendar days. Rounding absorbs the hour that a switch to summer time adds or removes. */
function daysBetween(then: Date, now: Date): number {
  return Math.round((startOfDay(now).getTime() - startOfDay(then).getTime()) / DAY_MS)
}

export function startOfDay(moment: Date): Date {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate())
}

export function formatTrashTimeLeft(deletedAt: string, now = new Date()): string {
  const left = Date.parse(deletedAt) + TRASH_DAYS * DAY_MS - now.getTime()
  const days = Math.ceil(left / DAY_MS)
  return days <= 1 ? 'Исчезнет в течение дня' : `Исчезнет через ${days} ${plural(days, 'день', 'дня', 'дней')}`
}
