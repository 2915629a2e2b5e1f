import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { knownOr } from './known-or.ts'

/** Money in minor units (kopecks), as at payment gateways. */
export const Money = z.object({ amount: z.int(), currency: z.string() })
export type Money = z.infer<typeof Money>

export const EndReason = z.enum(['canceled', 'unsaved', 'once', 'ended'])

/** The balance, in every response that changes it. The name is in the specification. */
export const SingleSubscription = z.object({
  /** Symbols that can be spent now; never below zero. */
  availableTokens: z.int(),
  /** False when no symbols are left. */
  active: z.boolean(),
  /** True while a subscription renews automatically. */
  recurrent: z.boolean(),
  /** Held for running work. */
  held: z.int(),
  /** The sum of the valid grants at the time they were given: the full length of the balance bar. */
  capacity: z.int(),
  plan: z.nullable(z.object({ id: z.string(), name: z.string() })),
  periodEnd: z.nullable(z.iso.datetime()),
  nextCharge: z.nullable(z.extend(Money, { at: z.iso.datetime() })),
  /**
   * Why the plan does not renew; null while it does. `unsaved`: the payer agreed, but no method was saved. `once`: it was
   * sold for one period.
   */
  endReason: z._default(z.nullable(knownOr(EndReason, 'ended')), null),
  /** Of a whole period of the plan that comes next. */
  price: z._default(z.nullable(Money), null),
  /** The last charge was declined; `nextCharge` is the next attempt. */
  isDeclined: z._default(z.boolean(), false),
  /** The plan that begins when the paid period ends. */
  nextPlan: z._default(z.nullable(z.object({ id: z.string(), name: z.string() })), null),
  /** The plan of the latest subscription, also after it ended. */
  lastPlanId: z._default(z.nullable(z.string()), null),
  card: z.nullable(z.object({ brand: z.nullable(z.string()), last4: z.string() })),
  /** The user's own daily limit; null for none. */
  dailyCap: z.nullable(z.int()),
  spentToday: z.int(),
})
export type SingleSubscription = z.infer<typeof SingleSubscription>

/** `other` stands for a kind that only a newer release knows. */
export const GrantKind = z.enum(['plan', 'bundle', 'promo', 'gift', 'refund', 'other'])
export const Grant = z.object({
  id: z.string(),
  kind: knownOr(GrantKind, 'other'),
  symbols: z.int(),
  remaining: z.int(),
  expiresAt: z.nullable(z.iso.datetime()),
  note: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
})
export type Grant = z.infer<typeof Grant>

export const BalanceOwner = z.object({ id: z.string(), SingleSubscription })
const Balance = z.object({ SingleSubscription })

export function spendableSymbols(
  balance: Pick<SingleSubscription, 'availableTokens' | 'dailyCap' | 'spentToday'>,
): number {
  const { availableTokens, dailyCap, spentToday } = balance
  return dailyCap === null ? availableTokens : Math.max(0, Math.min(availableTokens, dailyCap - spentToday))
}

export function countSymbols(text: string): number {
  return text.length
}

/** The billing size in the specification: the last N messages of a thread and the current input. */
export function billingSize(
  messages: readonly string[],
  input: string,
  settings: { threadHistory: boolean; threadHistoryLimit: number },
): number {
  const sent = settings.threadHistory ? settings.threadHistoryLimit : MESSAGES_WHEN_HISTORY_OFF
  const sizes = messages.slice(-sent).map(countSymbols)
  return sizes.reduce((sum, size) => sum + size, countSymbols(input))
}
export const MESSAGES_WHEN_HISTORY_OFF = 2

/** How many stops a day are free although the request was already sent to the provider. */
export const FREE_STOPS = 3

export interface Rates {
  inputRate: number
  outputRate: number
  /** For thoughts; 0 when they are part of the price. */
  thoughtRate?: number
  /** For input that the provider had cached; null or absent when it costs as much as the rest. */
  cachedRate?: number | null
  /** Symbols for the web search before an answer, a fixed price; absent or 0 without a search. */
  searchPrice?: number
}

/** Amounts that change the price of an answer besides its input and output, in symbols. */
export interface PricedExtras {
  thought?: number
  /** The part of the input that the provider had cached. */
  cached?: number
}

/** Rates like 0.1 are not exact in binary, so the error below a millionth is cut before rounding up. */
export function price(input: number, output: number, rates: Rates, { thought = 0, cached = 0 }: PricedExtras = {}) {
  const { inputRate, outputRate, thoughtRate = 0, cachedRate, searchPrice = 0 } = rates
  const discount = cached * (inputRate - Math.min(inputRate, cachedRate ?? inputRate))
  return (
    Math.ceil(Number((input * inputRate - discount + output * outputRate + thought * thoughtRate).toFixed(6))) +
    searchPrice
  )
}

export interface PriceTerm {
  what: 'input' | 'cached' | 'thought' | 'output' | 'search'
  symbols: number
  rate: number
}

/** The terms that `price` adds up, for the screen: input and output always, the others only if they cost anything. */
export function priceTerms(
  input: number,
  output: number,
  { inputRate, outputRate, thoughtRate = 0, cachedRate, searchPrice = 0 }: Rates,
  { thought = 0, cached = 0 }: PricedExtras = {},
): PriceTerm[] {
  const apart = typeof cachedRate === 'number' && cachedRate < inputRate ? cached : 0
  const terms: (PriceTerm | false)[] = [
    { what: 'input', symbols: input - apart, rate: inputRate },
    apart > 0 && { what: 'cached', symbols: apart, rate: cachedRate ?? inputRate },
    thought > 0 && thoughtRate > 0 && { what: 'thought', symbols: thought, rate: thoughtRate },
    { what: 'output', symbols: output, rate: outputRate },
    searchPrice > 0 && { what: 'search', symbols: searchPrice, rate: 1 },
  ]
  return terms.filter((term) => term !== false)
}

const LOW_BALANCE_SHARES = [0.05, 0.2] as const

/** The warning to show: 0.2 below a fifth of the capacity, 0.05 below a twentieth, otherwise null. */
export function lowBalanceShare({
  availableTokens,
  capacity,
}: Pick<SingleSubscription, 'availableTokens' | 'capacity'>) {
  return LOW_BALANCE_SHARES.find((share) => availableTokens < capacity * share) ?? null
}

/** The key of the gift that replaces withheld start symbols; a key is granted once. */
export const START_GIFT = 'start-symbols'

export const billingApi = {
  spend: endpoint('PATCH', '/api/profile/balance', {
    who: 'user',
    summary: 'Списать символы со своего баланса: amount × коэффициент модели, не ниже нуля',
    body: z.strictObject({ amount: z.int().check(z.minimum(0)), modelId: z.string() }),
    returns: Balance,
  }),
  setDailyCap: endpoint('PATCH', '/api/profile/daily-cap', {
    who: 'user',
    consent: 'unneeded',
    summary: 'Свой предел на день; null снимает его',
    body: z.strictObject({ dailyCap: z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000_000_000))) }),
    returns: Balance,
  }),
  grants: endpoint('GET', '/api/profile/grants', {
    who: 'user',
    summary: 'Из чего складывается баланс: начисления, в которых ещё что-то осталось',
    returns: z.array(Grant),
  }),
  usage: endpoint('GET', '/api/profile/usage', {
    who: 'user',
    summary: 'Расход по дням',
    query: z.object({ days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(366)), 30) }),
    returns: z.array(z.object({ day: z.string(), symbols: z.int() })),
  }),
  gift: endpoint('POST', '/api/users/:id/gift', {
    who: 'admin',
    summary: 'Подарить символы, а отрицательным числом забрать',
    body: z.strictObject({
      symbols: z.int().check(
        z.refine((n) => n !== 0, { error: 'Нужно число, не равное нулю' }),
        z.minimum(-1_000_000_000),
        z.maximum(1_000_000_000),
      ),
      reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
      /** Chosen by the caller: the same key changes the balance once. */
      key: z.optional(z.string().check(z.regex(/^[\w-]{8,64}$/))),
    }),
    returns: BalanceOwner,
  }),
  applyPromocode: endpoint('POST', '/api/users/:id/apply-promocode', {
    who: 'user',
    summary: 'Применить промокод: себе, а администратору кому угодно',
    body: z.strictObject({ code: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)) }),
    returns: BalanceOwner,
  }),
}
