import { randomBytes, randomUUID } from 'node:crypto'
import {
  type Checkout,
  type CheckoutBody,
  card,
  type Subscription,
  type SubscriptionBody,
  type Transaction,
} from './schemas.ts'
import type { WebhookSender } from './webhook-sender.ts'

export type PayPage =
  | { kind: 'subscription'; subscription: Subscription; body: SubscriptionBody }
  | { kind: 'checkout'; checkout: Checkout }

/** How many of the next creating requests are carried out but never answered. */
export interface Silence {
  count: number
}

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

/** The data of the fake gateway and what can happen to it; each change sends webhooks to the shop. */
export function createFakeAccounts(webhookSender: WebhookSender, url: () => string) {
  const pages = new Map<string, PayPage>()
  const subscriptions = new Map<string, { subscription: Subscription; notify: string; body: SubscriptionBody }>()
  const transactions = new Map<string, { transaction: Transaction; notify: string }>()
  /** The transaction type of subscription charges; tests change it to other types that bePaid uses. */
  const naming = { charge: 'payment' }
  /** The bank's answer to a declined payment: `05` gives no reason. */
  const bank = { code: '05', declinesTokens: false }

  function book(
    fields: Pick<Transaction, 'type' | 'status' | 'amount' | 'currency' | 'description' | 'tracking_id' | 'test'> & {
      parent_uid?: string
      reason?: string
    },
    notify: string,
  ): Transaction {
    const uid = randomUUID()
    const now = new Date().toISOString()
    const successful = fields.status === 'successful'
    const transaction: Transaction = {
      uid,
      id: uid,
      message: successful ? 'Successfully processed' : 'Payment was declined',
      created_at: now,
      paid_at: successful ? now : null,
      ...(fields.status === 'pending'
        ? { payment_method_type: 'erip' as const }
        : { payment_method_type: 'credit_card' as const, credit_card: card }),
      receipt_url: `${url()}/receipt/${uid}`,
      payment: { status: fields.status, ...(successful ? {} : { bank_code: bank.code }) },
      ...fields,
    }
    transactions.set(uid, { transaction, notify })
    return transaction
  }

  function known(id: string) {
    const found = subscriptions.get(id)
    if (!found) throw new Error(`No subscription ${id}`)
    return found
  }

  const cardTokens = new Map<string, string>()
  function newCard(id: string): string {
    const token = randomUUID()
    cardTokens.set(id, token)
    return token
  }

  /** Charges one period; the first one at the price of the trial. */
  function charge(id: string, status: Transaction['status']): Transaction {
    const { subscription, notify, body } = known(id)
    const first = subscription.active_to === null
    const terms = (first && body.plan.trial) || body.plan.plan
    const { title: description, currency, test } = body.plan
    const transaction = book(
      { type: naming.charge, status, amount: terms.amount, currency, description, tracking_id: body.tracking_id, test },
      notify,
    )
    const { uid, message, created_at } = transaction
    subscription.last_transaction = { uid, status, message, created_at }
    subscription.card = { ...card, token: cardTokens.get(id) ?? newCard(id) }
    if (status === 'failed') {
      subscription.state = first ? 'failed' : 'failed_attempt'
      subscription.number_failed_payment_attempts += 1
      return transaction
    }
    const trial = first && body.plan.trial !== undefined
    const from = subscription.active_to ? new Date(subscription.active_to) : new Date()
    subscription.active_to = after(from, terms).toISOString()
    subscription.renew_at = subscription.active_to
    subscription.state = trial ? 'trial' : 'active'
    subscription.paid_billing_cycles += trial ? 0 : 1
    subscription.number_failed_payment_attempts = 0
    return transaction
  }

  return {
    pages,
    subscriptions,
    transactions,
    naming,
    bank,

    openSubscription: (body: SubscriptionBody) => {
      const subscription: Subscription = {
        id: `sbs_${hex(8)}`,
        state: 'redirecting',
        tracking_id: body.tracking_id,
        created_at: new Date().toISOString(),
        renew_at: null,
        active_to: null,
        paid_billing_cycles: 0,
        number_failed_payment_attempts: 0,
        card: {},
        customer: body.customer,
        plan: body.plan,
        last_transaction: null,
      }
      const token = hex(32)
      subscriptions.set(subscription.id, { subscription, notify: body.notification_url, body })
      pages.set(token, { kind: 'subscription', subscription, body })
      return { subscription, token }
    },

    /** Charges a card that paid before; the bank may decline it. */
    chargeCard: (id: string, token: string): void => {
      if (![...cardTokens.values()].includes(token)) throw new Error('No card with this token')
      cardTokens.set(id, token)
      charge(id, bank.declinesTokens ? 'failed' : 'successful')
      const { subscription, notify } = known(id)
      webhookSender.announce(notify, { event: 'created.subscription', ...subscription })
    },

    openCheckout: (body: CheckoutBody['checkout']): Checkout => {
      const checkout: Checkout = { token: hex(32), body, status: 'incomplete', payment: null }
      pages.set(checkout.token, { kind: 'checkout', checkout })
      return checkout
    },

    /** The payer pays on the page, or the bank declines. */
    pay: (page: PayPage, status: Transaction['status']): Transaction => {
      if (page.kind === 'subscription') {
        const transaction = charge(page.subscription.id, status)
        webhookSender.announce(page.body.notification_url, { event: 'created.subscription', ...page.subscription })
        return transaction
      }
      const { order, test, settings } = page.checkout.body
      const transaction = book({ type: 'payment', status, ...order, test }, settings.notification_url)
      page.checkout.status = status
      page.checkout.payment = transaction
      webhookSender.announce(settings.notification_url, { transaction })
      return transaction
    },

    /** The payer has paid a bill at the bank. */
    settle: (uid: string): void => {
      const found = transactions.get(uid)
      if (found?.transaction.status !== 'pending') throw new Error(`No bill ${uid}`)
      Object.assign(found.transaction, { status: 'successful', paid_at: new Date().toISOString() })
      for (const page of pages.values()) {
        if (page.kind === 'checkout' && page.checkout.payment?.uid === uid) page.checkout.status = 'successful'
      }
      webhookSender.announce(found.notify, { transaction: found.transaction })
    },

    /** The next period, paid or declined. */
    renew: (id: string, status: Transaction['status']): Transaction => {
      const transaction = charge(id, status)
      const { subscription, notify } = known(id)
      webhookSender.announce(notify, subscription)
      return transaction
    },

    cancel: (id: string, reason: string): Subscription => {
      const { subscription, notify } = known(id)
      Object.assign(subscription, {
        state: 'canceled',
        renew_at: null,
        last_transaction: null,
        cancel_reason: reason,
        cancelled_at: new Date().toISOString(),
      })
      webhookSender.announce(notify, subscription)
      return subscription
    },

    reverse: (uid: string, type: 'refund' | 'chargeback', amount: number, reason: string): Transaction => {
      const parent = transactions.get(uid)
      if (!parent) throw new Error(`No transaction ${uid}`)
      const { currency, description, tracking_id, test } = parent.transaction
      const fields = { type, status: 'successful' as const, amount, currency, description, tracking_id, test, reason }
      const transaction = book({ ...fields, parent_uid: uid }, parent.notify)
      webhookSender.announce(parent.notify, { transaction: { ...transaction, parent_transaction: parent.transaction } })
      return transaction
    },

    /** The page was not paid in time. */
    expire: (token: string): void => {
      const page = pages.get(token)
      if (!page) throw new Error(`No token ${token}`)
      if (page.kind === 'subscription') {
        page.subscription.state = 'expired'
        webhookSender.announce(page.body.notification_url, page.subscription)
      } else {
        page.checkout.status = 'expired'
        webhookSender.announce(page.checkout.body.settings.notification_url, checkoutState(page.checkout))
      }
    },
  }
}

export type FakeAccounts = ReturnType<typeof createFakeAccounts>

export function checkoutState({ token, body, status, payment }: Checkout) {
  const expired = status === 'expired'
  return {
    token,
    shop_id: 1,
    transaction_type: body.transaction_type,
    gateway_response: payment ? { payment } : null,
    order: body.order,
    settings: body.settings,
    customer: body.customer,
    finished: payment !== null && payment.status !== 'pending',
    expired,
    test: body.test,
    status: expired ? 'error' : status,
    message: expired ? 'Token is expired.' : '',
  }
}

function after(from: Date, { interval, interval_unit }: { interval: number; interval_unit: string }): Date {
  const to = new Date(from)
  if (interval_unit === 'month') to.setUTCMonth(to.getUTCMonth() + interval)
  else to.setTime(to.getTime() + interval * (interval_unit === 'day' ? 86_400_000 : 3_600_000))
  return to
}
