/** The rules of docs/decisions/037: what a change of plan costs. Pure, in whole minor units, symbols and days. */

export interface Terms {
  price: number
  currency: string
  symbols: number
  intervalDays: number
}

/** What was really paid and given for the current period, and when it ends. */
export interface PaidPeriod {
  amount: number
  symbols: number
  intervalDays: number
  endsAt: Date
}

export interface UnusedPart {
  days: number
  amount: number
  symbols: number
}

const DAY_MS = 86_400_000

/** Begun days count as unused, money is rounded up and symbols down: always in favour of the payer. */
export function unusedPartOf(period: PaidPeriod | null, now: Date): UnusedPart {
  if (!period) return { days: 0, amount: 0, symbols: 0 }
  const { amount, symbols, intervalDays, endsAt } = period
  const left = Math.ceil((endsAt.getTime() - now.getTime()) / DAY_MS)
  const days = Math.min(Math.max(left, 0), intervalDays)
  return {
    days,
    amount: shareRoundedUp(amount, days, intervalDays),
    symbols: shareRoundedDown(symbols, days, intervalDays),
  }
}

/** In big integers: a price times a number of days may be beyond what a number holds exactly. */
const shareRoundedDown = (whole: number, part: number, of: number) =>
  Number((BigInt(whole) * BigInt(part)) / BigInt(of))
const shareRoundedUp = (whole: number, part: number, of: number) =>
  Number((BigInt(whole) * BigInt(part) + BigInt(of - 1)) / BigInt(of))

/** Only a plan that costs and gives at least as much can begin at once: something is left to pay and to give. */
export function beginsAtOnce(current: Terms, next: Terms): boolean {
  return next.currency === current.currency && next.price >= current.price && next.symbols >= current.symbols
}

/** A card cannot be charged zero, and an order cannot give nothing. */
export function firstPayment(next: Terms, unused: UnusedPart): { amount: number; symbols: number } {
  return { amount: Math.max(1, next.price - unused.amount), symbols: Math.max(1, next.symbols - unused.symbols) }
}
