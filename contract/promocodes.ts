import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { TableQuery, tableOf } from './paging.ts'

const Code = z
  .string()
  .check(
    z.trim(),
    z.minLength(4),
    z.maxLength(64),
    z.regex(/^[\p{L}\p{N}_-]+$/u, { error: 'Только буквы, цифры, дефис и подчёркивание' }),
  )
const fields = {
  /** Added when the code is applied; 0 for a code that only lowers a price. */
  symbols: z.int().check(z.minimum(0), z.maximum(1_000_000_000)),
  /** Off the first payment of a plan. */
  discountPercent: z.nullable(z.int().check(z.minimum(1), z.maximum(100))),
  /** How many people may use it, each once; null for any number. */
  maxUses: z.nullable(z.int().check(z.minimum(1), z.maximum(1_000_000))),
  startsAt: z.nullable(z.iso.datetime()),
  expiresAt: z.nullable(z.iso.datetime()),
  firstPurchaseOnly: z.boolean(),
  active: z.boolean(),
}
export const PromoCode = z.object({
  id: z.string(),
  /** The last characters: the code itself is not kept. */
  hint: z.string(),
  ...fields,
  uses: z.int(),
  createdAt: z.iso.datetime(),
})
export type PromoCode = z.infer<typeof PromoCode>

const draftFields = {
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
  count: z.int().check(z.minimum(1), z.maximum(1000)),
  prefix: z._default(z.string().check(z.trim(), z.maxLength(20), z.regex(/^[\p{L}\p{N}_-]*$/u)), ''),
  ...draftFields,
})
export type PromoBatch = z.infer<typeof PromoBatch>
export const PromoChange = z.partial(z.strictObject(fields))
export type PromoChange = z.infer<typeof PromoChange>

/** The only moment the code itself is shown. */
const Fresh = z.extend(PromoCode, { code: z.string() })

/** A batch as a spreadsheet; takes the same body. Not a JSON call, so it stands beside the table of calls. */
export const PROMO_BATCH_CSV = '/api/promocodes/batch/csv'

export const promocodesApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/promocodes',
    who: 'admin',
    summary: 'Промокоды; ищет и по самому коду',
    query: z.extend(TableQuery, { active: z.optional(z.enum(['true', 'false'])) }),
    returns: tableOf(PromoCode),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/promocodes/:id',
    who: 'admin',
    summary: 'Промокод',
    returns: PromoCode,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/promocodes',
    who: 'admin',
    summary: 'Добавить промокод',
    body: PromoDraft,
    returns: Fresh,
  }),
  createBatch: endpoint({
    method: 'POST',
    path: '/api/promocodes/batch',
    who: 'admin',
    summary: 'Создать много промокодов сразу; сами коды показываются только здесь',
    body: PromoBatch,
    returns: z.array(Fresh),
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/promocodes/:id',
    who: 'admin',
    summary: 'Изменить промокод',
    body: PromoChange,
    returns: PromoCode,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/promocodes/:id',
    who: 'admin',
    summary: 'Выключить промокод насовсем; применённое остаётся',
    returns: PromoCode,
  }),
}
