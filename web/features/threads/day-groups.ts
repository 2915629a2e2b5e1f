import type { Thread } from '#contract/threads.ts'

export interface DayGroup<Row> {
  title: string
  rows: Row[]
}

const DAY_MS = 86_400_000
const month = new Intl.DateTimeFormat('ru-RU', { month: 'long' })

/** The list under its headings, days counted where its reader is. Rows come pinned first, then newest first. */
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
  const name = month.format(then)
  const title = name.charAt(0).toUpperCase() + name.slice(1)
  return then.getFullYear() === now.getFullYear() ? title : `${title} ${then.getFullYear()}`
}

/** Whole days of the calendar; rounding swallows the hour that summer time gives or takes. */
function daysBetween(then: Date, now: Date): number {
  return Math.round((startOfDay(now).getTime() - startOfDay(then).getTime()) / DAY_MS)
}

export function startOfDay(moment: Date): Date {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate())
}
