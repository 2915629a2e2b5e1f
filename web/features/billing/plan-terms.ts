import type { Money } from '#contract/billing.ts'
import type { Plan } from '#contract/plans.ts'
import { formatDate, formatMoney, plural } from '#web/lib/format.ts'

const DAY_MS = 24 * 60 * 60_000

/** «каждые 30 дней». */
export function everyDays(days: number): string {
  if (days === 1) return 'каждый день'
  return `${plural(days, 'каждый', 'каждые', 'каждые')} ${days}\u00a0${plural(days, 'день', 'дня', 'дней')}`
}

/** «за 30 дней». */
export function perDays(days: number): string {
  return days === 1 ? 'за день' : `за ${days}\u00a0${plural(days, 'день', 'дня', 'дней')}`
}

export function firstRenewal({ intervalDays }: Pick<Plan, 'intervalDays'>, now = new Date()): Date {
  return new Date(now.getTime() + intervalDays * DAY_MS)
}

/** A plan that the shop cannot renew. */
export const soldOnce = (until: Date) => `тариф покупается на один период, до ${formatDate(until)}, и сам не продлится`

export function pricePerThousand({ price, currency, symbols }: Pick<Plan, 'price' | 'currency' | 'symbols'>): string {
  return formatMoney({ amount: (price / symbols) * 1000, currency })
}

export function priceOf({ price, currency }: Pick<Plan, 'price' | 'currency'>): Money {
  return { amount: price, currency }
}

export function keptUntil(periodEnd: string | null): string {
  const end = periodEnd ? formatDate(periodEnd) : 'конца оплаченного периода'
  return `Символы подписки останутся до ${end}, потом неиспользованные сгорят.`
}

/** The consent text of CONSENT_VERSION in the contract: raise the version when this text changes. */
export function consentText(plan: Pick<Plan, 'price' | 'currency' | 'intervalDays'>): string {
  return `Соглашаюсь на автоматическое списание ${formatMoney(priceOf(plan))} ${everyDays(plan.intervalDays)} до отмены`
}
