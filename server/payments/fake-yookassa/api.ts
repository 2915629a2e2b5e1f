import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { Hono } from 'hono'
import * as z from 'zod'
import type { FakeShop } from './accounts.ts'
import { MethodBody, PaymentBody, ReceiptBody, RefundBody } from './schemas.ts'

const HANG_MS = 60_000

type Status = 400 | 401 | 403 | 404 | 429 | 500

const fail = (c: Context, status: Status, code: string, parameter?: string, description = code) =>
  c.json({ type: 'error', id: randomUUID(), code, description, ...(parameter && { parameter }) }, status)

const NO_AUTOPAYMENTS = "This store can't make recurring payments. Contact the YooMoney manager to learn more"
const NO_METHOD = 'Payment method is not available'

/** The calls of API version 3 that we use. */
export function yookassaApi(shop: FakeShop, { credentials, methods }: { credentials: string; methods: string[] }) {
  const app = new Hono()
  const answers = new Map<string, { request: string; answer: object }>()
  const guard: MiddlewareHandler = async (c, next) => {
    if (c.req.header('authorization') !== credentials) return fail(c, 401, 'invalid_credentials')
    return next()
  }
  app.use('*', guard)
  app.onError((error, c) => {
    const field = error instanceof z.ZodError ? error.issues[0]?.path.join('.') : undefined
    return fail(c, 400, 'invalid_request', field ?? error.message)
  })

  /** The same key gives the first answer; with other data it is refused. */
  function creating<Body>(path: string, schema: z.ZodType<Body>, create: (body: Body) => object): void {
    app.post(path, async (c) => {
      const key = c.req.header('idempotence-key') ?? ''
      if (!/^[0-9a-zA-Z+\-_.:]{1,64}$/.test(key)) return fail(c, 400, 'invalid_request', 'Idempotence-Key')
      const request = await c.req.text()
      const { faults } = shop
      if (faults.refused > 0) {
        faults.refused -= 1
        return fail(c, 400, 'invalid_request', 'payment_method_id')
      }
      const { isSaving, method } = wishesIn(path, request)
      if (faults.isWithoutAutopayments && isSaving) return fail(c, 403, 'forbidden', undefined, NO_AUTOPAYMENTS)
      if (faults.closedMethods.includes(method)) return fail(c, 400, 'invalid_request', 'payment_method', NO_METHOD)
      if (faults.busy > 0) {
        faults.busy -= 1
        return fail(c, 429, 'too_many_requests')
      }
      const known = answers.get(`${path} ${key}`)
      if (known && known.request !== request) return fail(c, 400, 'invalid_request', 'Idempotence-Key')
      const answer = known?.answer ?? create(schema.parse(JSON.parse(request)))
      answers.set(`${path} ${key}`, { request, answer })
      if (faults.failed > 0) {
        faults.failed -= 1
        return fail(c, 500, 'internal_server_error')
      }
      if (faults.silent > 0) {
        faults.silent -= 1
        await hang(c.req.raw.signal)
      }
      return c.json(answer)
    })
  }

  creating('/payments', PaymentBody, shop.createPayment)
  creating('/refunds', RefundBody, shop.createRefund)
  creating('/payment_methods', MethodBody, shop.createMethod)
  creating('/receipts', ReceiptBody, shop.createReceipt)

  const things: Record<string, Map<string, object>> = {
    payments: shop.payments,
    refunds: shop.refunds,
    payment_methods: shop.methods,
    receipts: shop.receipts,
  }
  for (const [name, stored] of Object.entries(things)) {
    app.get(`/${name}/:id`, (c) => {
      const found = stored.get(c.req.param('id'))
      return found ? c.json(found) : fail(c, 404, 'not_found', 'id')
    })
    app.get(`/${name}`, (c) => c.json(page([...stored.values()].reverse(), c.req.query())))
  }
  app.get('/me', (c) =>
    c.json({
      account_id: 'fake',
      status: 'enabled',
      test: true,
      fiscalization: { enabled: true, provider: 'yoo_receipt' },
      payment_methods: methods.filter((method) => !shop.faults.closedMethods.includes(method)),
    }),
  )
  return app
}

/** What a shop may not be allowed: to charge again, and a method. */
function wishesIn(path: string, request: string) {
  const body = JSON.parse(request) as Record<string, unknown> & { payment_method_data?: { type?: string } }
  const isSaving = path === '/payment_methods' || body.save_payment_method === true || 'payment_method_id' in body
  return { isSaving, method: body.payment_method_data?.type ?? '' }
}

/** Filters by the fields that are asked for, newest first, with a cursor. */
function page(all: object[], query: Record<string, string>) {
  const { limit = '10', cursor = '0', 'created_at.gte': from = '', 'created_at.lte': to = '~', ...fields } = query
  const fitting = all.filter((item) => {
    const values = item as Record<string, unknown>
    const at = typeof values.created_at === 'string' ? values.created_at : ''
    const isInTime = at === '' || (at >= from && at <= to)
    return isInTime && Object.entries(fields).every(([name, value]) => values[name] === value)
  })
  const start = Number(cursor)
  const end = start + Number(limit)
  const items = fitting.slice(start, end)
  return { type: 'list', items, ...(end < fitting.length && { next_cursor: String(end) }) }
}

async function hang(signal: AbortSignal): Promise<void> {
  await new Promise<void>((done) => {
    signal.addEventListener('abort', () => done())
    setTimeout(done, HANG_MS).unref()
  })
}
