import type { Money } from '#contract/billing.ts'
import { once } from './once.ts'

const NARROW_SPACE = '\u202f'
const NO_BREAK_SPACE = '\u00a0'

const number = once(() => new Intl.NumberFormat('ru-RU'))
const date = once(() => new Intl.DateTimeFormat('ru-RU', { day: 'numeric', month: 'long', year: 'numeric' }))
const day = once(() => new Intl.DateTimeFormat('ru-RU', { day: 'numeric', month: 'long' }))
const dateTime = once(() => new Intl.DateTimeFormat('ru-RU', { dateStyle: 'short', timeStyle: 'short' }))

/** Picks the form a Russian noun takes after a number: 1 символ, 2 символа, 5 символов. */
export function plural(n: number, one: string, few: string, many: string): string {
  const whole = Math.abs(n)
  if (!Number.isInteger(whole)) return few
  const tens = whole % 100
  const units = whole % 10
  if (tens >= 11 && tens <= 14) return many
  if (units === 1) return one
  return units >= 2 && units <= 4 ? few : many
}

/** Intl writes a hyphen before a negative Russian number. */
const withMinus = (text: string) => text.replace(/^-/, '\u2212')

export function formatNumber(n: number): string {
  // Integers, which every screen shows, are formatted by hand: the first use of Intl loads the data of the locale.
  if (Number.isSafeInteger(n)) return withMinus(String(n)).replace(/\B(?=(\d{3})+$)/g, NARROW_SPACE)
  return withMinus(number().format(n)).replace(/\s/g, NARROW_SPACE)
}

const larger = ['млн', 'млрд', 'трлн']

/** «1,2 млн»: from a million on; smaller numbers whole. */
export function formatShort(n: number): string {
  let tenths = Math.round(n / 100_000)
  let unit = 0
  for (; tenths >= 10_000 && unit < larger.length - 1; unit++) tenths = Math.round(n / 100_000 / 1000 ** (unit + 1))
  if (tenths < 10) return formatNumber(n)
  return `${formatNumber(Math.floor(tenths / 10))}${tenths % 10 ? `,${tenths % 10}` : ''}${NO_BREAK_SPACE}${larger[unit]}`
}

/** Amounts are in minor units; their number of digits depends on the currency. */
export function formatMoney({ amount, currency }: Money): string {
  const style = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const
  const money = new Intl.NumberFormat('ru-RU', style)
  const whole = amount / 10 ** (money.resolvedOptions().maximumFractionDigits ?? 2)
  // Amounts below 0.1 keep two significant digits.
  const exact =
    Math.abs(whole) < 0.1 ? new Intl.NumberFormat('ru-RU', { ...style, maximumSignificantDigits: 2 }) : money
  return withMinus(exact.format(whole)).replace(/\s/g, NO_BREAK_SPACE)
}

export function formatSymbols(n: number): string {
  return `${formatNumber(n)}${NO_BREAK_SPACE}${plural(n, 'символ', 'символа', 'символов')}`
}

/** «до 843 символов»: the genitive. */
export function upToSymbols(n: number): string {
  return `до ${formatNumber(n)}${NO_BREAK_SPACE}${plural(n, 'символа', 'символов', 'символов')}`
}

/** The label of a button that spends: «Нарисовать ещё · 2 000», «Ответить заново · ≈ 430». */
export function withPrice(
  label: string,
  symbols: number | null,
  kind: 'exactly' | 'about' | 'most' = 'exactly',
): string {
  if (symbols === null) return label
  const before = { exactly: '', about: '≈ ', most: 'до ' }[kind]
  return `${label} · ${before}${formatNumber(symbols)}`
}

export function formatDate(when: Date | string | number): string {
  // «г.» stays with its year.
  return date()
    .format(new Date(when))
    .replace(/\sг\.$/, `${NO_BREAK_SPACE}г.`)
}

/** «12 декабря»; with the year if it is not the current one. */
export function formatDay(when: Date | string | number, now = new Date()): string {
  const then = new Date(when)
  return then.getFullYear() === now.getFullYear() ? day().format(then) : formatDate(then)
}

const formatClock = (then: Date) =>
  [then.getHours(), then.getMinutes()].map((n) => String(n).padStart(2, '0')).join(':')

/** In lists: today «14:05», this year «12 декабря», else «12 декабря 2025 г.». */
export function formatTimeOrDay(when: Date | string | number, now = new Date()): string {
  const then = new Date(when)
  return then.toDateString() === now.toDateString() ? formatClock(then) : formatDay(then, now)
}

/** The exact moment, «15.11.2026, 14:05»: in admin tables, operations and sessions. */
export function formatDateTime(when: Date | string | number): string {
  return dateTime().format(new Date(when))
}
