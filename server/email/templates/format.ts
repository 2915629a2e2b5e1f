/** Formats minor units: «29,90 BYN». */
export function formatSum(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('ru-RU', { style: 'currency', currency, currencyDisplay: 'code' })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}

const plural = new Intl.PluralRules('ru-RU')

/** A number with the matching Russian plural form. */
function counted(count: number, [one, few, many]: [one: string, few: string, many: string]): string {
  const form = plural.select(count)
  return `${new Intl.NumberFormat('ru-RU').format(count)} ${form === 'one' ? one : form === 'few' ? few : many}`
}

export const formatSymbols = (count: number) => counted(count, ['символ', 'символа', 'символов'])
export const formatDays = (count: number) => counted(count, ['день', 'дня', 'дней'])

/** A date in the Minsk time zone. */
export function formatDay(date: Date): string {
  const parts = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'Europe/Minsk' } as const
  return date.toLocaleDateString('ru-RU', parts).replace(/ г\.$/, ' года')
}

/** Date and time to the minute, with the time zone. */
export function formatMoment(date: Date): string {
  const time = date.toLocaleTimeString('ru-RU', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Minsk' })
  return `${formatDay(date)}, ${time} (по Минску и Москве)`
}
