import type { Plan, TokenBundle } from '#contract/plans.ts'
import { formatMoney, formatNumber, plural } from '#web/lib/format.ts'

/** The cheapest item with enough symbols; without one, the item with the most symbols. */
export function cheapestFitting<Item extends Pick<TokenBundle, 'symbols' | 'price'>>(
  items: readonly Item[],
  missing: number,
): Item | null {
  const fitting = items.filter(({ symbols }) => symbols >= missing).toSorted((a, b) => a.price - b.price)
  return fitting[0] ?? items.toSorted((a, b) => b.symbols - a.symbols)[0] ?? null
}

type Sold = Pick<TokenBundle, 'symbols' | 'price' | 'currency'>

const amount = ({ symbols, price, currency }: Sold) =>
  `${formatNumber(symbols)} за ${formatMoney({ amount: price, currency })}`

/** «Купить 100 000 за 3,50 BYN» */
export function bundleOffer(bundle: Sold): string {
  return `Купить ${amount(bundle)}`
}

/** «Тариф „Старт“: 500 000 за 9,90 BYN на 30 дней» */
export function planOffer({ name, intervalDays, ...plan }: Sold & Pick<Plan, 'name' | 'intervalDays'>): string {
  const days = `${intervalDays}\u00a0${plural(intervalDays, 'день', 'дня', 'дней')}`
  return `Тариф «${name}»: ${amount(plan)} на ${days}`
}
