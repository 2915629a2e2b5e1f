import type { PromoCode, PromoState } from '#contract/promocodes.ts'
import { formatDateTime, formatNumber, formatSymbols, plural } from '#web/lib/format.ts'
import type { BadgeTone } from '#web/ui/table/badge.tsx'

export const stateLabel: Record<PromoState, { label: string; tone: BadgeTone }> = {
  live: { label: 'Действует', tone: 'success' },
  waiting: { label: 'Ещё не начался', tone: 'accent' },
  ended: { label: 'Закончился', tone: 'warning' },
  spent: { label: 'Израсходован', tone: 'neutral' },
  off: { label: 'Выключен', tone: 'neutral' },
  deleted: { label: 'Выключен насовсем', tone: 'danger' },
}

/** The name for the owner, or the end of a code without one. */
export const promoName = ({ name, hint }: Pick<PromoCode, 'name' | 'hint'>) => name || `…${hint}`

/** «20 000 символов» or «скидка 20 % на первый платёж». */
export function giftLabel({ symbols, discountPercent }: Pick<PromoCode, 'symbols' | 'discountPercent'>): string {
  return discountPercent === null ? formatSymbols(symbols) : `скидка ${discountPercent}\u00a0% на первый платёж`
}

/** «3 из 10», «3, без ограничения». */
export function usesLabel({ uses, maxUses }: Pick<PromoCode, 'uses' | 'maxUses'>): string {
  return maxUses === null
    ? `${formatNumber(uses)}, без ограничения`
    : `${formatNumber(uses)} из ${formatNumber(maxUses)}`
}

export function periodLabel({ startsAt, expiresAt }: Pick<PromoCode, 'startsAt' | 'expiresAt'>): string {
  if (startsAt && expiresAt) return `с ${formatDateTime(startsAt)} до ${formatDateTime(expiresAt)}`
  if (startsAt) return `с ${formatDateTime(startsAt)}`
  return expiresAt ? `до ${formatDateTime(expiresAt)}` : 'всегда'
}

export function madeLabel(count: number): string {
  return `${plural(count, 'Создан', 'Созданы', 'Создано')} ${formatNumber(count)} ${plural(count, 'промокод', 'промокода', 'промокодов')}`
}
