import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Money in minor units (kopecks), as payment gateways count it. */
export const Money = z.object({ amount: z.int(), currency: z.string() })
export type Money = z.infer<typeof Money>

/** The balance as every answer that touches it gives it. The name is the specification's. */
export const SingleSubscription = z.object({
  /** What can be spent now; never below zero. */
  availableTokens: z.int(),
  /** False when nothing is left to spend. */
  active: z.boolean(),
  /** True while a subscription renews by itself. */
  recurrent: z.boolean(),
  /** Promised to answers that are running. */
  held: z.int(),
  /** What the live grants held when they were given: the full length of the balance bar. */
  capacity: z.int(),
  plan: z.nullable(z.object({ id: z.string(), name: z.string() })),
  periodEnd: z.nullable(z.iso.datetime()),
  nextCharge: z.nullable(z.extend(Money, { at: z.iso.datetime() })),
  /** What the subscription is paid with. */
  card: z.nullable(z.object({ brand: z.nullable(z.string()), last4: z.string() })),
  /** The user's own limit for a day; null for none. */
  dailyCap: z.nullable(z.int()),
  spentToday: z.int(),
})
export type SingleSubscription = z.infer<typeof SingleSubscription>

export const GrantKind = z.enum(['plan', 'bundle', 'promo', 'gift', 'refund'])
export const Grant = z.object({
  id: z.string(),
  kind: GrantKind,
  symbols: z.int(),
  remaining: z.int(),
  expiresAt: z.nullable(z.iso.datetime()),
  note: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
})
export type Grant = z.infer<typeof Grant>

export const BalanceOwner = z.object({ id: z.string(), SingleSubscription })
const Balance = z.object({ SingleSubscription })

/** The length of a text in symbols: the one way both sides count. */
export function countSymbols(text: string): number {
  return text.length
}

/** The billing size of the specification: the last N messages of a thread and the current input. */
export function billingSize(
  messages: readonly string[],
  input: string,
  settings: { threadHistory: boolean; threadHistoryLimit: number },
): number {
  const kept = settings.threadHistory ? settings.threadHistoryLimit : HISTORY_WHEN_OFF
  const sizes = messages.slice(-kept).map(countSymbols)
  return sizes.reduce((sum, size) => sum + size, countSymbols(input))
}
export const HISTORY_WHEN_OFF = 2

/** How often a day something that the provider was asked for may be stopped free of charge. */
export const FREE_STOPS = 3

export interface Rates {
  inputRate: number
  outputRate: number
}

/** The price of an exchange. Rates like 0.1 are not exact in binary, so noise below a millionth is cut before rounding up. */
export function price(input: number, output: number, { inputRate, outputRate }: Rates): number {
  return Math.ceil(Number((input * inputRate + output * outputRate).toFixed(6)))
}

const WARNINGS = [0.05, 0.2] as const

/** The warning that is due: 0.2 under a fifth of the balance, 0.05 under a twentieth, null while there is plenty. */
export function lowBalance({ availableTokens, capacity }: Pick<SingleSubscription, 'availableTokens' | 'capacity'>) {
  return WARNINGS.find((share) => availableTokens < capacity * share) ?? null
}

/** The key of a gift that makes up for the symbols of the start, so that it is given once. */
export const START_GIFT = 'start-symbols'

export const billingApi = {
  spend: endpoint({
    method: 'PATCH',
    path: '/api/profile/balance',
    who: 'user',
    summary: 'Списать символы со своего баланса: amount × тариф модели, не ниже нуля',
    body: z.strictObject({ amount: z.int().check(z.minimum(0)), modelId: z.string() }),
    returns: Balance,
  }),
  setDailyCap: endpoint({
    method: 'PATCH',
    path: '/api/profile/daily-cap',
    who: 'user',
    summary: 'Свой предел на день; null снимает его',
    body: z.strictObject({ dailyCap: z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000_000_000))) }),
    returns: Balance,
  }),
  grants: endpoint({
    method: 'GET',
    path: '/api/profile/grants',
    who: 'user',
    summary: 'Из чего складывается баланс: начисления, в которых ещё что-то осталось',
    returns: z.array(Grant),
  }),
  usage: endpoint({
    method: 'GET',
    path: '/api/profile/usage',
    who: 'user',
    summary: 'Расход по дням',
    query: z.object({ days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(366)), 30) }),
    returns: z.array(z.object({ day: z.string(), symbols: z.int() })),
  }),
  gift: endpoint({
    method: 'POST',
    path: '/api/users/:id/gift',
    who: 'admin',
    summary: 'Подарить символы, а отрицательным числом забрать',
    body: z.strictObject({
      symbols: z.int().check(
        z.refine((n) => n !== 0, { error: 'Нужно число, не равное нулю' }),
        z.minimum(-1_000_000_000),
        z.maximum(1_000_000_000),
      ),
      reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
      /** The caller's own: the same key moves symbols once. */
      key: z.optional(z.string().check(z.regex(/^[\w-]{8,64}$/))),
    }),
    returns: BalanceOwner,
  }),
  applyPromocode: endpoint({
    method: 'POST',
    path: '/api/users/:id/apply-promocode',
    who: 'user',
    summary: 'Применить промокод: себе, а администратору кому угодно',
    body: z.strictObject({ code: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)) }),
    returns: BalanceOwner,
  }),
}
