import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type * as z from 'zod'
import { fromMajor } from '../yookassa-objects.ts'
import type { MethodBody, PaymentBody, ReceiptBody, RefundBody } from './schemas.ts'

export type Send = (url: string, init: RequestInit) => Promise<Response>

interface Amount {
  value: string
  currency: string
}

interface Reason {
  party: string
  reason: string
}

export interface FakePayment {
  id: string
  status: 'pending' | 'succeeded' | 'canceled'
  paid: boolean
  refundable: boolean
  test: boolean
  amount: Amount
  refunded_amount?: Amount
  description: string
  metadata: Record<string, string>
  recipient: { account_id: string; gateway_id: string }
  created_at: string
  captured_at?: string
  confirmation?: Record<string, string>
  payment_method?: FakeMethod
  receipt_registration?: string
  cancellation_details?: Reason
}

export interface FakeMethod {
  id: string
  type: string
  saved: boolean
  status: 'pending' | 'active' | 'inactive'
  title: string
  card?: Record<string, string>
  confirmation?: Record<string, string>
}

export interface FakeRefund {
  id: string
  payment_id: string
  status: 'pending' | 'succeeded' | 'canceled'
  amount: Amount
  created_at: string
  description: string
  metadata: Record<string, string>
  cancellation_details?: Reason
}

export interface FakeReceipt {
  id: string
  type: 'payment' | 'refund'
  payment_id?: string
  refund_id?: string
  status: 'pending' | 'succeeded' | 'canceled'
  registered_at?: string
  fiscal_storage_number?: string
  fiscal_document_number?: string
  fiscal_attribute?: string
}

/** An address that ЮKassa sends from, and one that it does not. */
const SENDER = '185.71.76.5'
const FOREIGN = '203.0.113.66'

/** What goes wrong; counts are used up one by one. */
export function noFaults() {
  return {
    /** Notifications that never arrive. */
    lost: 0,
    /** That arrive twice. */
    doubled: 0,
    /** That come from a foreign address. */
    foreign: 0,
    /** That name another event than the object's state. */
    contradicting: 0,
    lateMs: 0,
    /** Creating requests that are carried out and answered with 500, or never. */
    failed: 0,
    silent: 0,
    /** That are not carried out: refused with 400, or with 429. */
    refused: 0,
    busy: 0,
    /** The shop may not charge by itself, or does not take these methods. */
    isWithoutAutopayments: false,
    closedMethods: [] as string[],
    /** What the next payment brings instead of its sum. */
    otherSums: [] as string[],
    /** Payments that succeed without saving their method. */
    unsaved: 0,
    /** Charges of saved methods that stay pending. */
    pendingCharges: 0,
    /** Why the next charges of saved methods are declined; empty entries pass. */
    declined: [] as string[],
    refunds: [] as ('pending' | 'canceled')[],
    receipts: [] as ('pending' | 'canceled')[],
  }
}
export type Faults = ReturnType<typeof noFaults>

interface Options {
  url: () => string
  notificationUrl: () => string
  send: Send
  shopId: string
}

/** The data of the fake shop and what can happen to it; changes are announced to the shop's address. */
export function createFakeShop({ url, notificationUrl, send, shopId }: Options) {
  const payments = new Map<string, FakePayment>()
  const returnUrls = new Map<string, string>()
  const methods = new Map<string, FakeMethod>()
  const refunds = new Map<string, FakeRefund>()
  const receipts = new Map<string, FakeReceipt>()
  const faults = noFaults()
  const sent: { event: string; id: string }[] = []
  const onTheirWay = new Set<Promise<void>>()
  const ends = { payments: new Map<string, PaymentBody>() }

  async function deliver(body: string, sender: string, times: number): Promise<void> {
    if (faults.lateMs > 0) await pause(faults.lateMs)
    for (let i = 0; i < times; i++) {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': sender }
      await send(notificationUrl(), { method: 'POST', headers, body }).catch(() => undefined)
    }
  }

  const take = (name: 'lost' | 'doubled' | 'foreign' | 'contradicting' | 'unsaved' | 'pendingCharges') => {
    if (faults[name] === 0) return false
    faults[name] -= 1
    return true
  }

  function announce(kind: 'payment' | 'refund' | 'payment_method', object: { id: string; status: string }): void {
    const isOdd = take('contradicting')
    const event = `${kind}.${isOdd ? (object.status === 'succeeded' ? 'canceled' : 'succeeded') : object.status}`
    sent.push({ event, id: object.id })
    if (take('lost')) return
    const sender = take('foreign') ? FOREIGN : SENDER
    const body = JSON.stringify({ type: 'notification', event, object })
    const work = deliver(body, sender, take('doubled') ? 2 : 1)
    onTheirWay.add(work)
    void work.finally(() => onTheirWay.delete(work))
  }

  function fiscalize(of: Pick<FakeReceipt, 'type' | 'payment_id' | 'refund_id'>): FakeReceipt {
    const fault = faults.receipts.shift()
    const receipt: FakeReceipt = { id: `rt-${randomUUID()}`, ...of, status: fault ?? 'succeeded' }
    if (!fault) register(receipt)
    receipts.set(receipt.id, receipt)
    return receipt
  }

  function register(receipt: FakeReceipt): void {
    Object.assign(receipt, {
      status: 'succeeded',
      registered_at: new Date().toISOString(),
      fiscal_storage_number: '9288000100115785',
      fiscal_document_number: String(receipts.size + 1),
      fiscal_attribute: String(2_617_603_921 + receipts.size),
    })
  }

  function succeed(payment: FakePayment): void {
    const body = ends.payments.get(payment.id)
    const value = faults.otherSums.shift()
    if (value) payment.amount = { ...payment.amount, value }
    Object.assign(payment, {
      status: 'succeeded',
      paid: true,
      refundable: true,
      captured_at: new Date().toISOString(),
      confirmation: undefined,
    })
    if (payment.payment_method && body?.save_payment_method && !take('unsaved')) {
      Object.assign(payment.payment_method, { saved: true, status: 'active' })
      methods.set(payment.payment_method.id, payment.payment_method)
    }
    if (body?.receipt) {
      payment.receipt_registration = fiscalize({ type: 'payment', payment_id: payment.id }).status
    }
    announce('payment', payment)
  }

  function cancel(payment: FakePayment, reason: string): void {
    const party = reason.startsWith('expired') ? 'yoo_money' : 'payment_network'
    Object.assign(payment, { status: 'canceled', confirmation: undefined, cancellation_details: { party, reason } })
    announce('payment', payment)
  }

  function open(id: string): FakePayment {
    const payment = payments.get(id)
    if (payment?.status !== 'pending') throw new Error(`No open payment ${id}`)
    return payment
  }

  return {
    payments,
    methods,
    refunds,
    receipts,
    returnUrls,
    faults,
    /** All notifications, delivered or not. */
    sent,
    idle: async () => {
      while (onTheirWay.size > 0) await Promise.all(onTheirWay)
    },
    announce,

    createPayment: (body: z.infer<typeof PaymentBody>): FakePayment => {
      const id = randomUUID()
      const saved = body.payment_method_id ? methods.get(body.payment_method_id) : undefined
      if (body.payment_method_id && !saved) throw new Error('No such payment method')
      const payment: FakePayment = {
        id,
        status: 'pending',
        paid: false,
        refundable: false,
        test: true,
        amount: body.amount,
        description: body.description,
        metadata: body.metadata,
        recipient: { account_id: shopId, gateway_id: '1' },
        created_at: new Date().toISOString(),
      }
      payments.set(id, payment)
      ends.payments.set(id, body)
      if (saved) {
        payment.payment_method = saved
        const reason = faults.declined.shift()
        if (saved.status !== 'active') cancel(payment, 'permission_revoked')
        else if (reason) cancel(payment, reason)
        else if (!take('pendingCharges')) succeed(payment)
        return payment
      }
      const { type, return_url = '' } = body.confirmation ?? { type: 'redirect' }
      returnUrls.set(id, return_url)
      payment.confirmation =
        type === 'qr'
          ? { type, confirmation_data: `${url()}/sbp?id=${id}` }
          : { type, return_url, confirmation_url: `${url()}/checkout?id=${id}` }
      if (body.payment_method_data) payment.payment_method = newMethod(body.payment_method_data.type)
      return payment
    },

    /** The payer pays on the page or in the bank's app. */
    pay: (id: string): void => {
      const payment = open(id)
      payment.payment_method ??= newMethod('bank_card')
      succeed(payment)
    },
    decline: (id: string, reason: string) => cancel(open(id), reason),
    expire: (id: string) => cancel(open(id), 'expired_on_confirmation'),
    /** The payer takes the permission back at the bank. */
    revoke: (id: string) => {
      const method = methods.get(id)
      if (method) method.status = 'inactive'
    },

    createRefund: (body: z.infer<typeof RefundBody>): FakeRefund => {
      const payment = payments.get(body.payment_id)
      if (!payment?.paid) throw new Error('The payment is not paid')
      const before = [...refunds.values()].filter(
        ({ payment_id, status }) => payment_id === payment.id && status !== 'canceled',
      )
      const sum = [...before, body].reduce((total, { amount }) => total + fromMajor(amount).amount, 0)
      if (sum > fromMajor(payment.amount).amount) throw new Error('The sum of refunds is too large')
      const fault = faults.refunds.shift()
      const refund: FakeRefund = {
        id: randomUUID(),
        payment_id: payment.id,
        status: fault ?? 'succeeded',
        amount: body.amount,
        created_at: new Date().toISOString(),
        description: body.description,
        metadata: body.metadata,
        ...(fault === 'canceled' && {
          cancellation_details: { party: 'refund_network', reason: 'insufficient_funds' },
        }),
      }
      refunds.set(refund.id, refund)
      if (body.receipt && refund.status === 'succeeded') fiscalize({ type: 'refund', refund_id: refund.id })
      // Only successful refunds are announced.
      if (refund.status === 'succeeded') announce('refund', refund)
      return refund
    },
    endRefund: (id: string, status: 'succeeded' | 'canceled') => {
      const refund = refunds.get(id)
      if (refund?.status !== 'pending') throw new Error(`No pending refund ${id}`)
      refund.status = status
      if (status === 'canceled')
        refund.cancellation_details = { party: 'refund_network', reason: 'rejected_by_timeout' }
      else announce('refund', refund)
    },

    createMethod: (body: z.infer<typeof MethodBody>): FakeMethod => {
      const method = newMethod(body.type)
      method.confirmation =
        body.confirmation.type === 'qr'
          ? { type: 'qr', confirmation_data: `${url()}/bind?id=${method.id}` }
          : { type: 'redirect', confirmation_url: `${url()}/bind?id=${method.id}` }
      returnUrls.set(method.id, body.confirmation.return_url ?? '')
      methods.set(method.id, method)
      return method
    },
    confirmMethod: (id: string): void => {
      const method = methods.get(id)
      if (!method) throw new Error(`No method ${id}`)
      Object.assign(method, { saved: true, status: 'active', confirmation: undefined })
      announce('payment_method', method)
    },

    createReceipt: (body: z.infer<typeof ReceiptBody>): FakeReceipt =>
      fiscalize({
        type: body.type,
        ...(body.payment_id && { payment_id: body.payment_id }),
        ...(body.refund_id && { refund_id: body.refund_id }),
      }),
    endReceipt: (id: string, status: 'succeeded' | 'canceled') => {
      const receipt = receipts.get(id)
      if (!receipt) throw new Error(`No receipt ${id}`)
      if (status === 'succeeded') register(receipt)
      else receipt.status = status
    },
  }
}

export type FakeShop = ReturnType<typeof createFakeShop>

function newMethod(type: string): FakeMethod {
  const id = randomUUID()
  if (type !== 'bank_card') return { id, type, saved: false, status: 'pending', title: type }
  const card = { first6: '555555', last4: '4477', expiry_year: '2030', expiry_month: '07', card_type: 'MasterCard' }
  return { id, type, saved: false, status: 'pending', title: 'Bank card *4477', card }
}
