import { AppError } from '#server/lib/errors.ts'
import { dayOf, startOfDay } from '../billing/days.ts'

const DEFAULT_DAYS = 30
const MAX_DAYS = 1100

export interface Days {
  from: string
  to: string
}

export interface Period extends Days {
  days: number
  before: Days
}

export const shiftDay = (day: string, by: number) => dayOf(startOfDay(day, by))
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000

/** The requested days, up to today, and the same number of days before them. */
export function periodOf(query: Partial<Days>, now = new Date()): Period {
  const today = dayOf(now)
  const to = query.to && query.to < today ? query.to : today
  const from = query.from ?? shiftDay(to, 1 - DEFAULT_DAYS)
  const days = daysBetween(from, to) + 1
  if (days < 1) throw new AppError('bad_request', 'Начало периода позже его конца', { field: 'from' })
  if (days > MAX_DAYS)
    throw new AppError('bad_request', 'Слишком длинный период: не больше трёх лет', { field: 'from' })
  return { from, to, days, before: { from: shiftDay(from, -days), to: shiftDay(from, -1) } }
}

export function daysOf({ from, days }: Pick<Period, 'from' | 'days'>): string[] {
  return Array.from({ length: days }, (_, i) => shiftDay(from, i))
}
