import type { TokenBundle } from '#contract/plans.ts'
import { readMoney, readNumber, writeMoney, writeNumber } from '#web/lib/number-input.ts'

/** A bundle as the text fields of its form. */
export type BundleFields = ReturnType<typeof draftOf>

export const newBundle: BundleFields = { name: '', symbols: '', price: '', currency: 'BYN', active: true }

export function draftOf({ name, symbols, price, currency, active }: TokenBundle) {
  return { name, symbols: writeNumber(symbols), price: writeMoney(price, currency), currency, active }
}

export function readBundle({ symbols, price, ...rest }: BundleFields) {
  return { ...rest, symbols: readNumber(symbols), price: readMoney(price, rest.currency) }
}
