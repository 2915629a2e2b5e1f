import * as z from 'zod/mini'
import { Money } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { wholeNumber } from './fields.ts'
import { idList } from './id-list.ts'
import { knownOr } from './known-or.ts'
import { TableQuery, tableOf } from './paging.ts'
import { OrderStatus } from './payments.ts'

const ALLOWED = 'Только буквы, цифры, дефис и подчёркивание'
const Code = z
  .string({ error: 'Введите код' })
  .check(
    z.trim(),
    z.minLength(4, { error: 'Не меньше 4 знаков' }),
    z.maxLength(64, { error: 'Не больше 64 знаков' }),
    z.regex(/^[\p{L}\p{N}_-]+$/u, { error: ALLOWED }),
  )
const Moment = z.nullable(z.iso.datetime({ error: 'Нужны дата и время' }))
const MAX_NAME = 80
const fields = {
  /** Shown to admins only, to recognise the code later. */
  name: z.string().check(z.trim(), z.maxLength(MAX_NAME, { error: `Не больше ${MAX_NAME} знаков` })),
  /** Added when the code is applied; 0 for a code with a discount only. */
  symbols: wholeNumber(0, 1_000_000_000),
  /** The discount on the first payment of a plan. */
  discountPercent: z.nullable(wholeNumber(1, 100)),
  /** How many users may use it, each once; null for any number. */
  maxUses: z.nullable(wholeNumber(1, 1_000_000)),
  startsAt: Moment,
  expiresAt: Moment,
  firstPurchaseOnly: z.boolean(),
  active: z.boolean(),
}
export const PromoCode = z.object({
  id: z.string(),
  /** The last characters: only the hash of a code is stored. */
  hint: z.string(),
  ...fields,
  uses: z.int(),
  createdAt: z.iso.datetime(),
  /** When it was deactivated. */
  deletedAt: z.nullable(z.iso.datetime()),
})
export type PromoCode = z.infer<typeof PromoCode>

const draftFields = {
  name: z._default(fields.name, ''),
  symbols: z._default(fields.symbols, 0),
  discountPercent: z._default(fields.discountPercent, null),
  maxUses: z._default(fields.maxUses, 1),
  startsAt: z._default(fields.startsAt, null),
  expiresAt: z._default(fields.expiresAt, null),
  firstPurchaseOnly: z._default(fields.firstPurchaseOnly, false),
  active: z._default(fields.active, true),
}
export const PromoDraft = z.strictObject({ code: Code, ...draftFields })
export type PromoDraft = z.infer<typeof PromoDraft>
export const PromoBatch = z.strictObject({
  count: wholeNumber(1, 1000),
  prefix: z._default(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(20, { error: 'Не больше 20 знаков' }),
        z.regex(/^[\p{L}\p{N}_-]*$/u, { error: ALLOWED }),
      ),
    '',
  ),
  ...draftFields,
})
export type PromoBatch = z.infer<typeof PromoBatch>
export const PromoChange = z.partial(z.strictObject(fields))
export type PromoChange = z.infer<typeof PromoChange>
type Terms = Pick<PromoCode, 'symbols' | 'discountPercent' | 'startsAt' | 'expiresAt'>

/** Rules across fields: a code gives symbols or a discount, and ends after it begins. */
export function promoError({ symbols, discountPercent, startsAt, expiresAt }: Terms) {
  if (symbols > 0 === (discountPercent !== null))
    return { field: 'symbols', message: 'Код или добавляет символы, или даёт скидку: заполните одно из двух' } as const
  if (startsAt && expiresAt && Date.parse(startsAt) >= Date.parse(expiresAt))
    return { field: 'expiresAt', message: 'Код должен закончиться позже, чем начнётся' } as const
  return null
}

export const promoStates = ['live', 'waiting', 'ended', 'spent', 'off', 'deleted'] as const
export type PromoState = (typeof promoStates)[number]

/** The first state that applies. */
export function promoState(
  promo: Pick<PromoCode, 'active' | 'deletedAt' | 'startsAt' | 'expiresAt' | 'uses' | 'maxUses'>,
  now = Date.now(),
): PromoState {
  if (promo.deletedAt) return 'deleted'
  if (!promo.active) return 'off'
  if (promo.expiresAt && Date.parse(promo.expiresAt) <= now) return 'ended'
  if (promo.maxUses !== null && promo.uses >= promo.maxUses) return 'spent'
  return promo.startsAt && Date.parse(promo.startsAt) > now ? 'waiting' : 'live'
}

/** The only response with the code itself. */
const CreatedPromoCode = z.extend(PromoCode, { code: z.string() })
export type FreshPromo = z.infer<typeof CreatedPromoCode>

const filters = {
  active: z.optional(z.enum(['true', 'false'])),
  state: z.optional(z.enum(promoStates)),
  gives: z.optional(z.enum(['symbols', 'discount'])),
}
export const PromoQuery = z.extend(TableQuery, filters)
export type PromoQuery = z.infer<typeof PromoQuery>
export const promoSorts = ['createdAt', 'expiresAt', 'name', 'hint', 'symbols', 'discountPercent', 'uses'] as const

export const PromoStatistics = z.object({
  uses: z.int(),
  symbols: z.int(),
  /** Orders paid with its discount. */
  orders: z.int(),
  /** Their revenue without refunds. */
  revenue: z.array(Money),
  discount: z.array(Money),
  /** The latest uses, newest first. */
  recent: z.array(
    z.object({
      userId: z.string(),
      email: z.string(),
      at: z.iso.datetime(),
      symbols: z.nullable(z.int()),
      order: z.nullable(z.extend(Money, { status: knownOr(OrderStatus, 'pending') })),
    }),
  ),
})
export type PromoStatistics = z.infer<typeof PromoStatistics>

export const promocodesApi = {
  list: endpoint('GET', '/api/promocodes', {
    who: 'admin',
    summary: 'Промокоды; ищет по названию и по самому коду',
    query: PromoQuery,
    returns: tableOf(PromoCode),
  }),
  csv: endpoint('GET', '/api/promocodes/csv', {
    who: 'admin',
    summary: 'Промокоды отбора файлом CSV',
    proof: 'fresh',
    query: PromoQuery,
    answers: 'file',
  }),
  get: endpoint('GET', '/api/promocodes/:id', {
    who: 'admin',
    summary: 'Промокод',
    returns: PromoCode,
  }),
  statistics: endpoint('GET', '/api/promocodes/:id/statistics', {
    who: 'admin',
    summary: 'Что дал промокод: кто применил, сколько символов роздано, сколько заплатили со скидкой',
    returns: PromoStatistics,
  }),
  create: endpoint('POST', '/api/promocodes', {
    who: 'admin',
    summary: 'Добавить промокод',
    body: PromoDraft,
    returns: CreatedPromoCode,
  }),
  createBatch: endpoint('POST', '/api/promocodes/batch', {
    who: 'admin',
    summary: 'Создать много промокодов сразу; сами коды показываются только здесь',
    body: PromoBatch,
    returns: z.array(CreatedPromoCode),
  }),
  createBatchCsv: endpoint('POST', '/api/promocodes/batch/csv', {
    who: 'admin',
    summary: 'Выпустить партию промокодов и получить её файлом CSV',
    body: PromoBatch,
    answers: 'file',
  }),
  setActive: endpoint('POST', '/api/promocodes/active', {
    who: 'admin',
    summary: 'Включить или выключить сразу несколько; выключенные насовсем не меняются',
    body: z.strictObject({
      ids: idList(200),
      active: z.boolean(),
    }),
    returns: z.array(PromoCode),
  }),
  update: endpoint('PATCH', '/api/promocodes/:id', {
    who: 'admin',
    summary: 'Изменить промокод',
    body: PromoChange,
    returns: PromoCode,
  }),
  delete: endpoint('DELETE', '/api/promocodes/:id', {
    who: 'admin',
    summary: 'Выключить промокод насовсем; применённое остаётся',
    returns: PromoCode,
  }),
}
