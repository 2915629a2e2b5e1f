import * as z from 'zod/mini'
import { Money, SingleSubscription } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { moneyFrom } from './fields.ts'
import { knownOr } from './known-or.ts'

export const gatewayNames = ['bepaid', 'yookassa'] as const
export const GatewayName = z.enum(gatewayNames)
export type GatewayName = z.infer<typeof GatewayName>
/** For admins; people who pay never see them. */
export const gatewayTitles: Record<GatewayName, string> = { bepaid: 'bePaid', yookassa: 'ЮKassa' }
/** Of a row in an answer for admins. */
export const RowGateway = z._default(knownOr(GatewayName, 'bepaid'), 'bepaid')

export const OrderKind = z.enum(['plan', 'renewal', 'bundle'])
export const OrderStatus = z.enum(['pending', 'paid', 'failed', 'expired', 'refunded', 'charged_back'])
/** A fiscal receipt of a payment or a refund. */
export const Receipt = z.object({
  id: z.string(),
  kind: knownOr(z.enum(['payment', 'refund']), 'payment'),
  state: knownOr(z.enum(['pending', 'registered', 'rejected']), 'pending'),
  amount: z.int(),
  currency: z.string(),
  /** ФН, ФД and ФПД. */
  fiscalStorage: z.nullable(z.string()),
  fiscalDocument: z.nullable(z.string()),
  fiscalAttribute: z.nullable(z.string()),
  registeredAt: z.nullable(z.iso.datetime()),
  /** The text of the QR code that the app of the tax service reads; null until it is registered. */
  checkText: z.nullable(z.string()),
})
export type Receipt = z.infer<typeof Receipt>

export const Order = z.object({
  id: z.string(),
  kind: knownOr(OrderKind, 'bundle'),
  status: knownOr(OrderStatus, 'pending'),
  /** The name of the plan or bundle at the time of the purchase. */
  title: z.string(),
  symbols: z.int(),
  amount: z.int(),
  currency: z.string(),
  receiptUrl: z.nullable(z.string()),
  /** Of the gateways that register them; bePaid's is `receiptUrl`. */
  receipts: z._default(z.array(Receipt), []),
  /** A refund that the gateway has not carried out yet; the money counts as refunded when it has. */
  pendingRefund: z._default(z.nullable(z.object({ amount: z.int(), requestedAt: z.iso.datetime() })), null),
  /**
   * A payment arrived for this unpaid order and cannot be counted by itself. `received` is its sum, when it differs;
   * `isOver`: the administrator has dealt with it.
   */
  review: z._default(z.nullable(z.object({ received: z.nullable(Money), isOver: z.boolean() })), null),
  createdAt: z.iso.datetime(),
  paidAt: z.nullable(z.iso.datetime()),
})
export type Order = z.infer<typeof Order>

export const declineReasons = [
  'funds',
  'limit',
  'expired',
  'details',
  'blocked',
  'confirmation',
  'bank',
  'country',
  'suspicion',
  'identity',
  'revoked',
  'timeout',
  'shop',
  'other',
] as const
export const DeclineReason = z.enum(declineReasons)
export type DeclineReason = z.infer<typeof DeclineReason>

/** What our page offers where the gateway lets us choose; other payments are chosen on the gateway's page. */
export const payMethods = ['bank_card', 'sbp', 'sberbank', 'tinkoff_bank', 'yoo_money'] as const
export const PayMethod = z.enum(payMethods)
export type PayMethod = z.infer<typeof PayMethod>

/** What is stored for renewals. */
export const SavedMethod = z.object({
  /** `other` stands for a kind that this release does not know. */
  kind: knownOr(z.enum([...payMethods, 'other']), 'other'),
  last4: z.nullable(z.string()),
  brand: z.nullable(z.string()),
  savedAt: z.iso.datetime(),
})
export type SavedMethod = z.infer<typeof SavedMethod>

export const Qr = z.object({
  /** The text of the QR code, which is also the address that opens the bank on a phone. */ text: z.string(),
  expiresAt: z.iso.datetime(),
})
export type Qr = z.infer<typeof Qr>

export const AwaitedOrder = z.extend(Order, {
  /**
   * The last report of the gateway about an unpaid order. `untouched`: no payment was tried on its page. `processing`:
   * a payment is under way. Null while the gateway has not answered.
   */
  progress: z._default(knownOr(z.nullable(z.enum(['untouched', 'processing'])), null), null),
  /** Why the bank declined; null when it did not, or gave no reason. */
  declineReason: z._default(z.nullable(knownOr(DeclineReason, 'other')), null),
  /** The pay page of an unpaid order, while it is open. */
  payUrl: z._default(z.nullable(z.string()), null),
  /** The QR code of СБП while it can be paid. */
  qr: z._default(z.nullable(Qr), null),
})
export type AwaitedOrder = z.infer<typeof AwaitedOrder>

export const PlanChangeTerms = z.object({
  /** `now`: it is paid at once, less the unused days. `later`: it happens when the paid period ends. */
  when: z.enum(['now', 'later']),
  /** Paid now, in minor units; zero for a later change. */
  amount: z.int(),
  currency: z.string(),
  /** Added now; zero for a later change. */
  symbols: z.int(),
  /** Unused days of the paid period, and the money and symbols that they count for. */
  unused: z.object({ days: z.int(), amount: z.int(), symbols: z.int() }),
  /** The plan as it is charged: changing only the card keeps the current price. */
  plan: z.object({ name: z.string(), price: z.int(), currency: z.string(), symbols: z.int(), intervalDays: z.int() }),
  /** When the new plan is charged in full. */
  next: z.object({ at: z.iso.datetime(), amount: z.int() }),
})
export type PlanChangeTerms = z.infer<typeof PlanChangeTerms>

const Redirect = z.object({ redirect_url: z.string() })

/** The version of the consent text for renewals; a changed text gets a new one. */
export const CONSENT_VERSION = '2026-12'
/** Pages opened before an upgrade still show the previous text; the version that was shown is stored. */
const ConsentVersion = z.enum([CONSENT_VERSION, '2026-11'])

export const RefundReason = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, { error: 'Напишите, почему возвращаете' }),
    z.maxLength(255, { error: 'Не больше 255 знаков' }),
  )

export const paymentsApi = {
  consent: endpoint('POST', '/api/bepaid/consent', {
    who: 'user',
    summary: 'Сохранить согласие на автоматическое продление тарифа',
    body: z.strictObject({ planId: z.string(), version: ConsentVersion }),
    returns: z.object({ id: z.string() }),
  }),
  subscriptionUrl: endpoint('GET', '/api/bepaid/get-subscription-url', {
    who: 'user',
    effects: true,
    impersonation: 'refused',
    summary: 'Адрес страницы оплаты подписки; без planId берётся тариф по умолчанию',
    query: z.object({
      planId: z.optional(z.string()),
      /** A promo code with a discount on the first payment. */
      promocode: z.optional(z.string().check(z.maxLength(100))),
      /** One of `options`; without it the payer chooses on the pay page. */
      method: z.optional(PayMethod),
      /** Whether the terms that the buyer saw had renewals; if they have not any more, the response is 409. */
      renews: z.optional(z.enum(['true', 'false'])),
    }),
    returns: Redirect,
  }),
  bundleUrl: endpoint('GET', '/api/bepaid/get-bundle-url', {
    who: 'user',
    effects: true,
    impersonation: 'refused',
    summary: 'Адрес страницы оплаты пакета символов',
    query: z.object({ bundleId: z.string(), method: z.optional(PayMethod) }),
    returns: Redirect,
  }),
  cancel: endpoint('POST', '/api/bepaid/cancel-subscription', {
    who: 'user',
    consent: 'unneeded',
    summary: 'Отменить продление; оплаченное остаётся до конца периода',
    returns: z.object({ SingleSubscription }),
  }),
  changeTerms: endpoint('GET', '/api/bepaid/plan-change', {
    who: 'user',
    summary: 'Условия смены тарифа: сколько платить сейчас и что будет с неиспользованными днями',
    query: z.object({ planId: z.string() }),
    returns: PlanChangeTerms,
  }),
  changePlan: endpoint('POST', '/api/bepaid/plan-change', {
    who: 'user',
    summary:
      'Сменить тариф: на больший — сразу, адрес страницы оплаты; на меньший — в конце периода. Тот же тариф меняет карту',
    body: z.strictObject({
      planId: z.string(),
      /** The sum that the user saw; if it has changed meanwhile, the response is 409. */
      amount: z.int(),
      /** One of `options`; without it the payer chooses on the pay page. */
      method: z.optional(PayMethod),
      /** Whether the terms that the user saw had renewals; if they have not any more, the response is 409. */
      renews: z.optional(z.boolean()),
    }),
    returns: z.object({ redirect_url: z.nullable(z.string()), SingleSubscription }),
  }),
  keepPlan: endpoint('DELETE', '/api/bepaid/plan-change', {
    who: 'user',
    summary: 'Отменить назначенную смену тарифа',
    returns: z.object({ SingleSubscription }),
  }),
  removeCard: endpoint('POST', '/api/bepaid/remove-card', {
    who: 'user',
    consent: 'unneeded',
    summary: 'Отвязать карту: продления больше не будет, данные карты удаляются',
    returns: z.object({ SingleSubscription }),
  }),
  options: endpoint('GET', '/api/payments/options', {
    who: 'user',
    summary: 'Чем можно заплатить в этой валюте; пусто — способ выбирают на странице оплаты',
    query: z.object({ currency: z.string().check(z.maxLength(3)) }),
    returns: z.object({
      /** False when payments in this currency are not set up. */
      isOn: z.boolean(),
      methods: z.array(PayMethod),
      /** Those that cannot be saved: a plan is sold for one period, without renewal. */
      once: z._default(z.array(PayMethod), []),
      /** The same for what is chosen on the payment page. */
      isOnce: z._default(z.boolean(), false),
      /** Nothing is charged: the gateway is a fake. */
      isPretence: z.boolean(),
    }),
  }),
  method: endpoint('GET', '/api/payments/method', {
    who: 'user',
    consent: 'unneeded',
    effects: true,
    summary: 'Сохранённый способ оплаты; если новый ещё не подтверждён, сервер спрашивает о нём',
    returns: z.object({
      method: z.nullable(SavedMethod),
      /** A new one that is not confirmed yet. */
      isConfirming: z.boolean(),
      /** What it can be changed to without a payment; empty where a change restarts the plan. */
      canBindTo: z.array(z.enum(['bank_card', 'sbp'])),
    }),
  }),
  bindMethod: endpoint('POST', '/api/payments/method', {
    who: 'user',
    summary: 'Сменить способ оплаты без платежа: адрес страницы или QR-код',
    body: z.strictObject({ kind: z.enum(['bank_card', 'sbp']) }),
    returns: z.object({ redirect_url: z.string(), qr: z.nullable(Qr) }),
  }),
  orders: endpoint('GET', '/api/orders', {
    who: 'user',
    consent: 'unneeded',
    effects: true,
    summary: 'Свои платежи, новые сверху',
    returns: z.array(Order),
  }),
  order: endpoint('GET', '/api/orders/:id', {
    who: 'user',
    consent: 'unneeded',
    effects: true,
    summary: 'Свой платёж; пока он не оплачен, сервер спрашивает о нём платёжную систему',
    returns: AwaitedOrder,
  }),
  check: endpoint('POST', '/api/orders/:id/check', {
    who: 'admin',
    summary: 'Проверить оплату: спросить платёжную систему и исправить',
    returns: Order,
  }),
  refund: endpoint('POST', '/api/orders/:id/refund', {
    who: 'admin',
    proof: 'fresh',
    summary: 'Вернуть деньги: всё, и тогда остаток символов забирается, или часть, и символы остаются',
    body: z.strictObject({
      reason: RefundReason,
      /** In minor units; everything that is left when omitted. */
      amount: z.optional(moneyFrom(1)),
      /** The refunded amount that the caller saw; if it has changed meanwhile, the response is 409. */
      refunded: z.optional(z.int()),
    }),
    returns: Order,
  }),
  repeatReceipt: endpoint('POST', '/api/receipts/:id/repeat', {
    who: 'admin',
    summary: 'Отправить чек снова, если касса его не зарегистрировала',
    returns: Receipt,
  }),
  webhook: endpoint('POST', '/api/bepaid/webhook', {
    who: 'anyone',
    summary: 'Сообщение платёжной системы; проверяется подпись тела в заголовке',
    takes: 'bytes',
    returns: z.object({ ok: z.literal(true) }),
  }),
  notification: endpoint('POST', '/api/yookassa/webhook', {
    who: 'anyone',
    summary: 'Уведомление ЮKassa: повод спросить её саму; проверяется адрес отправителя',
    takes: 'bytes',
    returns: z.object({ ok: z.literal(true) }),
  }),
}
