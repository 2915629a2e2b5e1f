import { and, asc, eq, inArray } from 'drizzle-orm'
import { type PayMethod, payMethods } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { shopRefusals } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { GatewayError, type NewCheckout } from '#server/payments/gateway.ts'
import type { Shop, YookassaShop } from '#server/payments/shop.ts'
import type { PaymentDeps } from './deps.ts'

/** What ЮKassa does not allow this shop: found in its refusals, remembered, and forgotten when a check passes. */

export type ShopRefusal = typeof shopRefusals.$inferSelect
type What = ShopRefusal['what']
/** Null stands for what the payer chooses on the gateway's page. */
type Chosen = string | null

const keyOf = (method: Chosen) => method ?? 'any'
const ofShop = eq(shopRefusals.gateway, 'yookassa')

export async function shopRefusalsOf(db: Db): Promise<ShopRefusal[]> {
  return db.select().from(shopRefusals).where(ofShop).orderBy(asc(shopRefusals.what), asc(shopRefusals.method))
}

const has = (refusals: ShopRefusal[], refused: What, chosen: Chosen) =>
  refusals.some(({ what, method }) => what === refused && method === keyOf(chosen))

interface Offer {
  methods: PayMethod[]
  once: PayMethod[]
  isOnce: boolean
}

/** What our page offers, and what a plan is sold with for one period only. bePaid's page asks by itself and renews. */
export async function offerOf({ db }: { db: Db }, shop: Shop): Promise<Offer> {
  if (shop.name === 'bepaid') return { methods: [], once: [], isOnce: false }
  const refusals = await shopRefusalsOf(db)
  const methods = payMethods.filter((method) => shop.methods.includes(method) && !has(refusals, 'pay', method))
  return {
    methods,
    once: methods.filter((method) => has(refusals, 'save', method)),
    isOnce: has(refusals, 'save', null),
  }
}

export async function rememberRefusal(deps: PaymentDeps, what: What, chosen: Chosen, error: GatewayError) {
  const words = wordsOf(error)
  const method = keyOf(chosen)
  deps.log?.error({ what, method, words }, 'payments: ЮKassa does not allow this to the shop')
  await deps.db
    .insert(shopRefusals)
    .values({ gateway: 'yookassa', what, method, words })
    .onConflictDoUpdate({ target: [shopRefusals.gateway, shopRefusals.what, shopRefusals.method], set: { words } })
}

const wordsOf = ({ words, failure }: GatewayError) => words ?? `HTTP ${failure.status ?? '?'}`

/** Wrong credentials are 401 and say nothing about the shop. */
export const isForbidden = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && error.outcome === 'refused' && [400, 403].includes(error.failure.status ?? 0)

const CHECK = 'check:'
/** Our own question to the gateway, not an order: nobody gets its page, and it ends unpaid. */
export const isCheck = (trackingId: string | null | undefined) => trackingId?.startsWith(CHECK) ?? false

/**
 * The gateway does not say which part of a request it refuses, so the parts are left out one after another. Null when
 * it is none of them.
 */
async function findRefused({ gateway }: YookassaShop, order: NewCheckout): Promise<What | null> {
  const isTaken = async (part: Partial<NewCheckout>) => {
    try {
      await gateway.createCheckout({ ...order, savesMethod: false, ...part, trackingId: `${CHECK}${newId()}` })
      return true
    } catch (error) {
      if (isForbidden(error)) return false
      throw error
    }
  }
  if (order.savesMethod && (await isTaken({}))) return 'save'
  return order.method && (await isTaken({ method: null })) ? 'pay' : null
}

/** A page could not be opened: if the shop may not do this, it is remembered, and the buyer is told what is left. */
export async function explainRefusal(deps: PaymentDeps, shop: YookassaShop, order: NewCheckout, error: unknown) {
  if (!isForbidden(error)) return error
  // A second failure must not hide the first one.
  const what = await findRefused(shop, order).catch(() => null)
  if (!what) return error
  await rememberRefusal(deps, what, order.method ?? null, error)
  return what === 'save' ? new AppError('conflict', SOLD_ONCE) : new AppError('conflict', OTHER_METHOD)
}

export const SOLD_ONCE =
  'Условия изменились: платёжная система не разрешает магазину списывать деньги за продление. Тариф можно купить на один период, без продления. Посмотрите новые условия и подтвердите ещё раз.'
export const OTHER_METHOD =
  'Так заплатить сейчас нельзя: платёжная система этого способа не принимает. Выберите другой.'

/** Tries every method of the settings with the request of a plan, and remembers what is refused; in sentences. */
export async function probeShop(deps: PaymentDeps, shop: YookassaShop, email: string): Promise<string[]> {
  const unexplained: string[] = []
  for (const method of shop.methods) {
    const order = checkOrder(deps, shop, method, email)
    const error = await errorOf(shop, order)
    const what = error && (await findRefused(shop, order))
    if (error && !what) {
      unexplained.push(`ЮKassa отклонила пробный платёж (${names[method] ?? method}): «${wordsOf(error)}».`)
      continue
    }
    // What the payer chooses on the gateway's page can be saved where any method can.
    const passed = what ? [method] : [method, keyOf(null)]
    await deps.db.delete(shopRefusals).where(and(ofShop, inArray(shopRefusals.method, passed)))
    if (error && what) await rememberRefusal(deps, what, method, error)
  }
  return [...unexplained, ...(await shopRefusalsOf(deps.db)).map(refusalSentence)]
}

async function errorOf({ gateway }: YookassaShop, order: NewCheckout): Promise<GatewayError | null> {
  try {
    await gateway.createCheckout(order)
    return null
  } catch (error) {
    if (!isForbidden(error)) throw error
    return error
  }
}

const CHECKED_SUM = 10_000

function checkOrder({ appUrl }: PaymentDeps, shop: YookassaShop, method: string, email: string): NewCheckout {
  const [currency = ''] = shop.currencies
  const named = { title: 'Проверка настроек, платить не нужно', amount: CHECKED_SUM, currency }
  return {
    ...named,
    trackingId: `${CHECK}${newId()}`,
    expiresAt: new Date(),
    customer: { userId: 'check', email, ip: '127.0.0.1' },
    returnUrl: appUrl,
    notificationUrl: appUrl,
    method,
    savesMethod: true,
    receipt: shop.receipts && { email, ...named, ...shop.receipts },
  }
}

const names: Record<string, string> = {
  ...{ bank_card: 'банковская карта', sbp: 'СБП', sberbank: 'SberPay', tinkoff_bank: 'T-Pay', yoo_money: 'ЮMoney' },
  any: 'выбор на странице ЮKassa',
}

/** For the owner: what is refused, in whose words, what the shop does instead, and how to end it. */
export function refusalSentence({ what, method, words }: ShopRefusal): string {
  const name = names[method] ?? method
  return what === 'save'
    ? `ЮKassa не разрешает магазину автоплатежи (${name}): «${words}». Тарифы так продаются на один период, без продления. Попросите менеджера ЮKassa разрешить автоплатежи и нажмите «Проверить».`
    : `ЮKassa не принимает этот способ (${name}): «${words}». Покупателям он не предлагается. Подключите его в кабинете ЮKassa или уберите из YOOKASSA_METHODS и нажмите «Проверить».`
}
