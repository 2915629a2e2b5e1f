import type { GatewayState } from '#contract/gateways.ts'
import type { BadgeTone } from '#web/ui/table/badge.tsx'
import { methodLabels } from './pay-methods.tsx'

export function stateOf({ isOn, isFake, isTest }: GatewayState): { tone: BadgeTone; label: string } {
  if (!isOn) return { tone: 'neutral', label: 'Выключена' }
  if (isFake) return { tone: 'warning', label: 'Понарошку' }
  return isTest ? { tone: 'warning', label: 'Тестовый магазин' } : { tone: 'success', label: 'Настоящие платежи' }
}

export const methodsOf = ({ methods }: GatewayState) =>
  methods.map((name) => (name in methodLabels ? methodLabels[name as keyof typeof methodLabels] : name)).join(', ') ||
  'покупатель выбирает на странице оплаты'

const vatLabels: Record<number, string> = {
  ...{ 1: 'без НДС', 2: 'НДС 0\u00a0%', 3: 'НДС 10\u00a0%', 4: 'НДС 20\u00a0%', 5: 'НДС 10/110', 6: 'НДС 20/120' },
  ...{ 7: 'НДС 5\u00a0%', 8: 'НДС 7\u00a0%', 9: 'НДС 5/105', 10: 'НДС 7/107', 11: 'НДС 22\u00a0%', 12: 'НДС 22/122' },
}
const taxLabels: Record<number, string> = {
  ...{ 1: 'ОСН', 2: 'УСН «доходы»', 3: 'УСН «доходы минус расходы»', 4: 'ЕНВД', 5: 'ЕСХН', 6: 'патент' },
}
const subjectLabels: Record<string, string> = {
  ...{ service: 'услуга', job: 'работа', commodity: 'товар', payment: 'платёж', property_right: 'имущественное право' },
  ...{ intellectual_activity: 'результат интеллектуальной деятельности', another: 'другое' },
}
const modeLabels: Record<string, string> = {
  ...{ full_payment: 'полный расчёт', full_prepayment: 'полная предоплата', advance: 'аванс' },
}

export function receiptsOf({ name, receipts }: GatewayState): string {
  if (name === 'bepaid') return 'ссылка bePaid у платежа; кассового чека по 54-ФЗ нет'
  if (!receipts) return 'выключены'
  const { by, vatCode, taxSystem, subject, mode } = receipts
  return [
    by === 'yookassa' ? 'включены, «Чеки от ЮKassa»' : 'включены, своя касса',
    vatLabels[vatCode],
    taxSystem && taxLabels[taxSystem],
    subjectLabels[subject],
    modeLabels[mode],
  ]
    .filter(Boolean)
    .join(', ')
}

/** Prices that can be seen but not paid. */
export function unpayable<Item extends { currency: string }>(items: Item[], gateways: GatewayState[]): Item[] {
  const on = gateways.filter(({ isOn }) => isOn)
  return items.filter(
    ({ currency }) => !on.some(({ currencies }) => currencies.length === 0 || currencies.includes(currency)),
  )
}
