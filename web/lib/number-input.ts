import { once } from './once.ts'

/** Numbers as typed in forms: spaces between thousands, a decimal comma. Unreadable input gives NaN. */

const grouped = once(() => new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 10 }))

export function readNumber(text: string): number {
  const plain = text.replace(/\s/g, '').replace(',', '.')
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : Number.NaN
}

/** An empty field gives null. */
export function readOptionalNumber(text: string): number | null {
  return text.trim() === '' ? null : readNumber(text)
}

export function writeNumber(value: number | null): string {
  return value === null ? '' : grouped().format(value)
}

/** In minor units; more decimals than the currency has give NaN. */
export function readMoney(text: string, currency: string): number {
  const whole = readNumber(text)
  const minor = Number((whole * 10 ** minorDigits(currency)).toFixed(4))
  return Number.isInteger(minor) ? minor : Number.NaN
}

export function readOptionalMoney(text: string, currency: string): number | null {
  return text.trim() === '' ? null : readMoney(text, currency)
}

export function writeMoney(amount: number | null, currency: string): string {
  if (amount === null) return ''
  const digits = minorDigits(currency)
  const format = new Intl.NumberFormat('ru-RU', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return format.format(amount / 10 ** digits)
}

/** Decimal digits of a currency; two while its code is incomplete. */
function minorDigits(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2
  return new Intl.NumberFormat('ru-RU', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
