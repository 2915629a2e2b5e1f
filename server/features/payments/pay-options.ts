import { payMethods } from '#contract/payments.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Payments } from './deps.ts'
import { shopForCurrency } from './shops.ts'

export function payOptions(deps: Payments, currency: string) {
  try {
    const shop = shopForCurrency(deps, currency)
    const methods = shop.name === 'yookassa' ? payMethods.filter((method) => shop.methods.includes(method)) : []
    return { isOn: true, methods, isPretence: shop.isFake ?? false }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { isOn: false, methods: [], isPretence: false }
  }
}
