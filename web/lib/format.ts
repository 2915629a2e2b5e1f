const NARROW_SPACE = '\u202f'
const NO_BREAK_SPACE = '\u00a0'

const number = new Intl.NumberFormat('ru-RU')
const date = new Intl.DateTimeFormat('ru-RU', { day: 'numeric', month: 'long', year: 'numeric' })
const dateTime = new Intl.DateTimeFormat('ru-RU', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

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

function formatNumber(n: number): string {
  return number.format(n).replace(/\s/g, NARROW_SPACE)
}

export function formatSymbols(n: number): string {
  return `${formatNumber(n)}${NO_BREAK_SPACE}${plural(n, 'символ', 'символа', 'символов')}`
}

export function formatDate(when: Date | string | number): string {
  return date.format(new Date(when))
}

export function formatDateTime(when: Date | string | number): string {
  return dateTime.format(new Date(when))
}
