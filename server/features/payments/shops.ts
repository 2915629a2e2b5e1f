import type { GatewayName } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import type { BepaidShop, Shop, Shops } from '#server/payments/shop.ts'
import { offerOf } from './shop-refusals.ts'

/** Which gateway an order goes to, and which one an existing order belongs to. */

interface HasShops {
  shops: Shops
}

const off = () => new AppError('payments_off', 'Оплата не настроена: на этом сервере не задана платёжная система.')

export const gatewaysOn = ({ shops }: HasShops): GatewayName[] =>
  [shops.bepaid, shops.yookassa].flatMap((shop) => shop?.name ?? [])

export function requirePayments(deps: HasShops): void {
  if (gatewaysOn(deps).length === 0) throw off()
}

/** ЮKassa takes the currencies of its shop, bePaid all others. */
export function shopForCurrency({ shops }: HasShops, currency: string): Shop {
  const { bepaid, yookassa } = shops
  if (yookassa?.currencies.includes(currency)) return yookassa
  if (bepaid) return bepaid
  if (!yookassa) throw off()
  throw new AppError('payments_off', `Платежи в этой валюте (${currency}) на этом сервере не принимаются.`)
}

/** The gateway of an order, a subscription or a report that exists already. */
export function shopOf({ shops }: HasShops, { gateway }: { gateway: GatewayName }): Shop {
  const shop = shops[gateway]
  if (!shop) throw off()
  return shop
}

export function requireBepaid({ shops }: HasShops): BepaidShop {
  if (!shops.bepaid) throw off()
  return shops.bepaid
}

export function canPay(deps: HasShops, currency: string): boolean {
  const { bepaid, yookassa } = deps.shops
  return bepaid !== null || (yookassa?.currencies.includes(currency) ?? false)
}

/** What a buyer may choose before the pay page opens. */
export async function payOptions(deps: HasShops & { db: Db }, currency: string) {
  if (!canPay(deps, currency)) return { isOn: false, methods: [], once: [], isOnce: false, isPretence: false }
  const shop = shopForCurrency(deps, currency)
  return { isOn: true, ...(await offerOf(deps, shop)), isPretence: shop.isFake ?? false }
}
