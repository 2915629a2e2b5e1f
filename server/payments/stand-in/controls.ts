import { Hono } from 'hono'
import * as z from 'zod'
import type { Silence } from './api.ts'
import type { Books } from './books.ts'
import type { Postman } from './postman.ts'

const Control = z
  .object({
    /** A subscription, or the token of a pay page, or the number of a payment. */
    id: z.string().default(''),
    count: z.int().min(1).default(1),
    ms: z.int().min(0).default(1000),
    amount: z.int().min(1).optional(),
  })
  .prefault({})

/** What a test does to the stand-in from outside. Without an id, the newest of its kind is meant. */
export function controls(books: Books, postman: Postman, silence: Silence): Hono {
  const app = new Hono()
  app.get('/public-key', (c) => c.text(postman.publicKey))
  app.onError((error, c) => c.json({ message: error.message }, 400))

  const acts: Record<string, (control: z.infer<typeof Control>) => void> = {
    renew: ({ id }) => void books.renew(id || newest(books.subscriptions), 'successful'),
    'fail-renewal': ({ id }) => void books.renew(id || newest(books.subscriptions), 'failed'),
    refund: (control) => reverse('refund', control),
    chargeback: (control) => reverse('chargeback', control),
    expire: ({ id }) => books.expire(id || newest(books.pages)),
    replay: ({ count }) => postman.replay(count),
    reorder: ({ count }) => {
      postman.mood.holdBack = count
    },
    delay: ({ ms }) => {
      postman.mood.delayMs = ms
    },
    'lose-webhook': ({ count }) => {
      postman.mood.lose = count
    },
    'timeout-after-commit': ({ count }) => {
      silence.count = count
    },
  }

  function reverse(type: 'refund' | 'chargeback', { id, amount }: z.infer<typeof Control>): void {
    const uid = id || newest(books.transactions)
    books.reverse(uid, type, amount ?? books.transactions.get(uid)?.transaction.amount ?? 0, 'By request of a test')
  }

  for (const [name, act] of Object.entries(acts)) {
    app.post(`/${name}`, async (c) => {
      act(Control.parse(JSON.parse((await c.req.text()) || '{}')))
      return c.json({ done: name })
    })
  }
  return app
}

function newest(things: Map<string, unknown>): string {
  return [...things.keys()].at(-1) ?? ''
}
