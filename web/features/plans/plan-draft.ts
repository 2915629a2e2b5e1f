import type { Plan } from '#contract/plans.ts'
import { readMoney, readNumber, writeMoney, writeNumber } from '#web/lib/number-input.ts'

export type PlanFields = ReturnType<typeof planFields>

export const newPlan: PlanFields = {
  name: '',
  description: '',
  symbols: '',
  price: '',
  currency: 'BYN',
  intervalDays: '30',
  active: true,
}

export function planFields({ name, description, symbols, price, currency, intervalDays, active }: Plan) {
  return {
    name,
    description,
    symbols: writeNumber(symbols),
    price: writeMoney(price, currency),
    currency,
    intervalDays: writeNumber(intervalDays),
    active,
  }
}

export function readPlan({ symbols, price, intervalDays, ...rest }: PlanFields) {
  return {
    ...rest,
    symbols: readNumber(symbols),
    price: readMoney(price, rest.currency),
    intervalDays: readNumber(intervalDays),
  }
}

/** Whether existing subscribers must be notified of the change. */
export function changesTerms(before: Plan, after: Partial<Plan> | null): boolean {
  const terms = ['symbols', 'price', 'currency', 'intervalDays'] as const
  return after !== null && terms.some((name) => after[name] !== undefined && after[name] !== before[name])
}
