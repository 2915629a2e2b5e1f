import { Hono } from 'hono'
import * as z from 'zod'
import type { FakeAccounts } from './accounts.ts'
import type { Silence } from './api.ts'
import type { WebhookSender } from './webhook-sender.ts'

const Control = z
  .object({
    /** The id of a subscription, the token of a pay page or the uid of a payment. */
    id: z.string().default(''),
    count: z.int().min(1).default(1),
    ms: z.int().min(0).default(1000),
    amount: z.int().min(1).optional(),
  })
  .prefault({})

/** Control requests of tests. Without an id they apply to the newest object. */
export function controls(accounts: FakeAccounts, webhookSender: WebhookSender, silence: Silence): Hono {
  const app = new Hono()
  app.get('/public-key', (c) => c.text(webhookSender.publicKey))
  app.onError((error, c) => c.json({ message: error.message }, 400))

  const actions: Record<string, (control: z.infer<typeof Control>) => void> = {
    renew: ({ id }) => void accounts.renew(id || newest(accounts.subscriptions), 'successful'),
    'fail-renewal': ({ id }) => void accounts.renew(id || newest(accounts.subscriptions), 'failed'),
    refund: (control) => reverse('refund', control),
    chargeback: (control) => reverse('chargeback', control),
    expire: ({ id }) => accounts.expire(id || newest(accounts.pages)),
    replay: ({ count }) => webhookSender.replay(count),
    reorder: ({ count }) => {
      webhookSender.mood.holdBack = count
    },
    delay: ({ ms }) => {
      webhookSender.mood.delayMs = ms
    },
    'lose-webhook': ({ count }) => {
      webhookSender.mood.lose = count
    },
    'timeout-after-commit': ({ count }) => {
      silence.count = count
    },
  }

  function reverse(type: 'refund' | 'chargeback', { id, amount }: z.infer<typeof Control>): void {
    const uid = id || newest(accounts.transactions)
    accounts.reverse(
      uid,
      type,
      amount ?? accounts.transactions.get(uid)?.transaction.amount ?? 0,
      'By request of a test',
    )
  }

  for (const [name, action] of Object.entries(actions)) {
    app.post(`/${name}`, async (c) => {
      action(Control.parse(JSON.parse((await c.req.text()) || '{}')))
      return c.json({ done: name })
    })
  }
  return app
}

function newest(things: Map<string, unknown>): string {
  return [...things.keys()].at(-1) ?? ''
}
