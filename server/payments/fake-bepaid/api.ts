import type { MiddlewareHandler } from 'hono'
import { Hono } from 'hono'
import * as z from 'zod'
import { checkoutState, type FakeAccounts, type PayPage, type Silence } from './accounts.ts'
import { endedPage, payPage, receiptPage } from './pages.ts'
import { CheckoutBody, RefundBody, SubscriptionBody } from './schemas.ts'

const HANG_MS = 60_000

export function gatewayApi(
  accounts: FakeAccounts,
  options: { url: () => string; credentials: string; silence: Silence },
): Hono {
  const app = new Hono()
  const pay = (token: string) => `${options.url()}/v2/checkout?token=${token}`
  const guard: MiddlewareHandler = async (c, next) => {
    if (c.req.header('authorization') !== options.credentials) return c.json({ message: 'Unauthorized' }, 401)
    if (c.req.method === 'GET' && c.req.header('content-type')) return c.json({ message: 'Bad request' }, 400)
    return next()
  }
  for (const path of ['/subscriptions', '/subscriptions/*', '/ctp/*', '/transactions/*', '/v2/transactions/*'])
    app.use(path, guard)
  app.onError((error, c) =>
    error instanceof z.ZodError
      ? c.json({ errors: z.flattenError(error).fieldErrors, message: z.prettifyError(error) }, 422)
      : c.json({ message: error.message, errors: {} }, 404),
  )

  async function answerUnlessSilent(signal: AbortSignal): Promise<void> {
    if (options.silence.count === 0) return
    options.silence.count -= 1
    await new Promise<void>((done) => {
      signal.addEventListener('abort', () => done())
      setTimeout(done, HANG_MS).unref()
    })
  }

  app.post('/subscriptions', async (c) => {
    const body = SubscriptionBody.parse(await c.req.json())
    const { subscription, token } = accounts.openSubscription(body)
    if (body.card) {
      accounts.chargeCard(subscription.id, body.card.token)
      await answerUnlessSilent(c.req.raw.signal)
      return c.json(subscription, 201)
    }
    await answerUnlessSilent(c.req.raw.signal)
    return c.json({ ...subscription, token, redirect_url: pay(token) }, 201)
  })
  app.get('/subscriptions', (c) => {
    const size = Number(c.req.query('per_page') ?? 20)
    const from = (Number(c.req.query('page') ?? 1) - 1) * size
    const all = [...accounts.subscriptions.values()].map(({ subscription }) => subscription)
    return c.json({ subscriptions: all.slice(from, from + size) })
  })
  app.get('/subscriptions/:id', (c) => {
    const found = accounts.subscriptions.get(c.req.param('id'))
    return found ? c.json(found.subscription) : c.json({ message: 'Record not found' }, 404)
  })
  app.post('/subscriptions/:id/cancel', async (c) => {
    const { cancel_reason } = z.object({ cancel_reason: z.string().min(1) }).parse(await c.req.json())
    if (!accounts.subscriptions.has(c.req.param('id'))) return c.json({ message: 'Record not found' }, 404)
    return c.json(accounts.cancel(c.req.param('id'), cancel_reason))
  })
  app.post('/ctp/api/checkouts', async (c) => {
    if (c.req.header('x-api-version') !== '2') return c.json({ message: 'X-API-Version is wrong' }, 422)
    const { token } = accounts.openCheckout(CheckoutBody.parse(await c.req.json()).checkout)
    await answerUnlessSilent(c.req.raw.signal)
    return c.json({ checkout: { token, redirect_url: pay(token) } }, 201)
  })
  app.get('/ctp/api/checkouts/:token', (c) => {
    const page = accounts.pages.get(c.req.param('token'))
    return page?.kind === 'checkout'
      ? c.json({ checkout: checkoutState(page.checkout) })
      : c.json({ message: 'Record not found' }, 404)
  })
  const refunds = new Map<string, object>()
  app.post('/transactions/refunds', async (c) => {
    const { parent_uid, amount, reason } = RefundBody.parse(await c.req.json()).request
    const requestId = c.req.header('requestid') ?? ''
    const transaction = refunds.get(requestId) ?? accounts.reverse(parent_uid, 'refund', amount, reason)
    if (requestId) refunds.set(requestId, transaction)
    await answerUnlessSilent(c.req.raw.signal)
    return c.json({ transaction })
  })
  app.get('/transactions/:uid', (c) => {
    const found = accounts.transactions.get(c.req.param('uid'))
    return found ? c.json({ transaction: found.transaction }) : c.json({ message: 'Record not found' }, 404)
  })
  app.get('/v2/transactions/tracking_id/:id', (c) => {
    const id = c.req.param('id')
    const found = [...accounts.transactions.values()].filter(({ transaction }) => transaction.tracking_id === id)
    return c.json({ transactions: found.slice(-10).map(({ transaction }) => transaction) })
  })

  app.get('/v2/checkout', (c) => {
    const token = c.req.query('token') ?? ''
    const page = accounts.pages.get(token)
    return page && isOpen(page) ? c.html(payPage(token, page)) : c.html(endedPage(), 404)
  })
  app.get('/receipt/:uid', (c) => {
    const found = accounts.transactions.get(c.req.param('uid'))
    return found ? c.html(receiptPage(found.transaction)) : c.html(endedPage(), 404)
  })
  app.post('/v2/checkout', async (c) => {
    const form = await c.req.parseBody()
    const token = String(form.token)
    const page = accounts.pages.get(token)
    if (!page || !isOpen(page)) return c.html(endedPage(), 404)
    if (form.action === 'cancel') return c.redirect(returnUrl(page, { token, status: 'canceled' }), 303)
    const { uid, status } = accounts.pay(page, outcomes[String(form.action)] ?? 'failed')
    return c.redirect(returnUrl(page, { token, status, uid }), 303)
  })
  return app
}

const outcomes: Record<string, 'successful' | 'failed' | 'pending'> = { pay: 'successful', bill: 'pending' }

function isOpen(page: PayPage): boolean {
  if (page.kind === 'subscription') return page.subscription.state === 'redirecting'
  return page.checkout.status === 'incomplete' || page.checkout.status === 'failed'
}

/** A subscription has one return URL and adds its id; a purchase has several and adds the status. */
function returnUrl(page: PayPage, outcome: { token: string; status: string; uid?: string }): string {
  const settings = page.kind === 'checkout' ? page.checkout.body.settings : null
  const byStatus = {
    successful: settings?.success_url,
    failed: settings?.decline_url,
    pending: settings?.success_url,
    canceled: settings?.cancel_url,
  }
  const url = new URL(
    page.kind === 'subscription'
      ? (page.body.return_url ?? '')
      : (byStatus[outcome.status as keyof typeof byStatus] ?? ''),
  )
  const added = page.kind === 'subscription' ? { id: page.subscription.id } : outcome
  for (const [name, value] of Object.entries(added)) url.searchParams.set(name, value)
  return url.href
}
