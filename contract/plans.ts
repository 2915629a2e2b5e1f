import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Currency, moneyFrom, NewOrder, optionalText, requiredText, wholeNumber } from './fields.ts'

const Symbols = wholeNumber(1, 1_000_000_000_000)
/** In minor units. */
const Price = moneyFrom(1)
const Name = requiredText(100)

const planFields = {
  name: Name,
  description: optionalText(1000),
  symbols: Symbols,
  price: Price,
  currency: Currency,
  intervalDays: wholeNumber(1, 366),
  active: z.boolean(),
  position: z.int(),
}
export const Plan = z.object({ id: z.string(), ...planFields })
export type Plan = z.infer<typeof Plan>
export const PlanDraft = z.strictObject({
  ...planFields,
  description: z._default(planFields.description, ''),
  intervalDays: z._default(planFields.intervalDays, 30),
  active: z._default(planFields.active, true),
  position: z._default(planFields.position, 0),
})
export type PlanDraft = z.infer<typeof PlanDraft>
export const PlanChange = z.partial(z.strictObject(planFields))
export type PlanChange = z.infer<typeof PlanChange>

const bundleFields = {
  name: Name,
  symbols: Symbols,
  price: Price,
  currency: Currency,
  active: z.boolean(),
  position: z.int(),
}
export const TokenBundle = z.object({ id: z.string(), ...bundleFields })
export type TokenBundle = z.infer<typeof TokenBundle>
export const BundleDraft = z.strictObject({
  ...bundleFields,
  active: z._default(bundleFields.active, true),
  position: z._default(bundleFields.position, 0),
})
export type BundleDraft = z.infer<typeof BundleDraft>
export const BundleChange = z.partial(z.strictObject(bundleFields))
export type BundleChange = z.infer<typeof BundleChange>

export const plansApi = {
  list: endpoint('GET', '/api/plans', {
    who: 'user',
    summary: 'Тарифы: пользователю действующие, администратору все',
    returns: z.array(Plan),
  }),
  create: endpoint('POST', '/api/plans', {
    who: 'admin',
    summary: 'Добавить тариф',
    body: PlanDraft,
    returns: Plan,
  }),
  update: endpoint('PATCH', '/api/plans/:id', {
    who: 'admin',
    summary: 'Изменить тариф; новая цена касается новых подписок, прежние узнают о ней письмом',
    body: PlanChange,
    returns: Plan,
  }),
  reorder: endpoint('POST', '/api/plans/order', {
    who: 'admin',
    summary: 'Задать порядок тарифов: все номера подряд; если список успел измениться — 409',
    body: NewOrder,
    returns: z.array(Plan),
  }),
}

export const bundlesApi = {
  list: endpoint('GET', '/api/tokens-bundles', {
    who: 'user',
    summary: 'Пакеты символов: пользователю действующие, администратору все',
    returns: z.array(TokenBundle),
  }),
  create: endpoint('POST', '/api/tokens-bundles', {
    who: 'admin',
    summary: 'Добавить пакет',
    body: BundleDraft,
    returns: TokenBundle,
  }),
  update: endpoint('PATCH', '/api/tokens-bundles/:id', {
    who: 'admin',
    summary: 'Изменить пакет',
    body: BundleChange,
    returns: TokenBundle,
  }),
  reorder: endpoint('POST', '/api/tokens-bundles/order', {
    who: 'admin',
    summary: 'Задать порядок пакетов: все номера подряд; если список успел измениться — 409',
    body: NewOrder,
    returns: z.array(TokenBundle),
  }),
  delete: endpoint('DELETE', '/api/tokens-bundles/:id', {
    who: 'admin',
    summary: 'Убрать пакет из продажи насовсем; проданные остаются в истории',
    returns: TokenBundle,
  }),
}
