import { choiceParam, dayParam, type StateOf } from '#web/lib/url-state.ts'

/** Days are counted in Minsk time, wherever the administrator is. */
const ZONE_MS = 3 * 3_600_000
const DAY_MS = 86_400_000

export const periods = [
  { value: 'today', label: 'Сегодня' },
  { value: '7', label: '7 дней' },
  { value: '30', label: '30 дней' },
  { value: '90', label: '90 дней' },
  { value: 'month', label: 'Этот месяц' },
  { value: 'own', label: 'Свой' },
] as const
export type PeriodName = (typeof periods)[number]['value']

export const periodParams = {
  period: choiceParam(['today', '7', '90', 'month', 'own']),
  from: dayParam(),
  to: dayParam(),
}
export type PeriodState = StateOf<typeof periodParams>

export const todayIn = (now: number) => new Date(now + ZONE_MS).toISOString().slice(0, 10)
const daysBack = (now: number, days: number) => new Date(now + ZONE_MS - days * DAY_MS).toISOString().slice(0, 10)

export interface Days {
  from: string
  to: string
}

export function daysOf({ period, from, to }: PeriodState, now = Date.now()): Days {
  const today = todayIn(now)
  switch (period) {
    case 'today':
      return { from: today, to: today }
    case 'month':
      return { from: `${today.slice(0, 7)}-01`, to: today }
    case 'own': {
      const end = to && to < today ? to : today
      return { from: from && from <= end ? from : end, to: end }
    }
    default:
      return { from: daysBack(now, Number(period ?? 30) - 1), to: today }
  }
}

/** As many days right before these, with which they are compared. */
export function daysBefore({ from, to }: Days): Days {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  const shifted = (by: number) => new Date(Date.parse(from) - by * DAY_MS).toISOString().slice(0, 10)
  return { from: shifted(days), to: shifted(1) }
}
