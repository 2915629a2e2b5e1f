import type { LimitRate, LimitTotal } from '#contract/limits.ts'
import { formatNumber, plural } from '#web/lib/format.ts'

export const perLabel: Record<LimitRate['per'] | LimitTotal['per'], string> = {
  user: 'На человека',
  network: 'На сеть',
  address: 'На адрес почты',
  process: 'На процесс',
}

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

/** «за минуту», «за 10 минут», «за сутки»: in the largest unit that divides it. */
export function periodLabel(seconds: number): string {
  if (seconds === DAY) return 'за сутки'
  if (seconds % DAY === 0) return `за ${counted(seconds / DAY, 'сутки', 'суток', 'суток')}`
  if (seconds % HOUR === 0) return `за ${counted(seconds / HOUR, 'час', 'часа', 'часов')}`
  if (seconds % MINUTE === 0) return `за ${counted(seconds / MINUTE, 'минуту', 'минуты', 'минут')}`
  return `за ${counted(seconds, 'секунду', 'секунды', 'секунд')}`
}

const counted = (n: number, one: string, few: string, many: string) =>
  n === 1 ? one : `${formatNumber(n)} ${plural(n, one, few, many)}`

export const formatRate = ({ points, seconds }: Pick<LimitRate, 'points' | 'seconds'>) =>
  `${formatNumber(points)} ${periodLabel(seconds)}`

/** The setting of one limit with its current value. */
export const settingOf = (limit: LimitRate | LimitTotal) =>
  'points' in limit ? `${limit.name}=${limit.points}/${limit.seconds}` : `${limit.name}=${limit.most}`

/** The setting with all changed limits, or an example when nothing is changed. */
export function settingExample(limits: (LimitRate | LimitTotal)[]): string {
  const changed = limits.filter(({ usual }) => usual !== null).map(settingOf)
  return `LIMITS="${changed.length > 0 ? changed.join(', ') : 'sends=60/60, stored-prompts=5000'}"`
}
