import { Hono } from 'hono'
import * as z from 'zod'
import { escapeHtml, htmlPage } from '#server/lib/html.ts'
import type { FakeAccounts, PayPage, Silence } from './accounts.ts'
import type { Transaction } from './schemas.ts'
import type { WebhookSender } from './webhook-sender.ts'

/** Every page says that no money moves. */
export function payPage(token: string, page: PayPage): string {
  const { title, amount, currency, note } = offerOf(page)
  return frame(
    `<h1>${escapeHtml(title)}</h1>
<p class="sum">${escapeHtml(sum(amount, currency))}</p>
<p>${escapeHtml(note)}</p>
<form method="post" action="/v2/checkout">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button name="action" value="pay" class="pay">Оплатить</button>
${takesBills(page) ? '<button name="action" value="bill">Выставить счёт ЕРИП</button>\n' : ''}<button name="action" value="decline">Отклонить</button>
<button name="action" value="cancel">Отменить</button>
</form>`,
  )
}

const takesBills = (page: PayPage) => page.kind === 'checkout' && page.checkout.body.payment_method.erip !== undefined

export function receiptPage({ description, amount, currency, created_at, uid }: Transaction): string {
  return frame(
    `<h1>Тестовый чек</h1><p>${escapeHtml(description)}: ${escapeHtml(sum(amount, currency))}</p>
<p>${escapeHtml(new Date(created_at).toLocaleString('ru-RU'))}, платёж ${escapeHtml(uid)}</p>`,
  )
}

export function endedPage(): string {
  return frame('<h1>Эта страница оплаты больше не действует</h1><p>Вернитесь и начните оплату заново.</p>')
}

function offerOf(page: PayPage) {
  if (page.kind === 'checkout') {
    const { amount, currency, description } = page.checkout.body.order
    return { title: description, amount, currency, note: 'Разовый платёж.' }
  }
  const { title, currency, plan, trial } = page.body.plan
  const later = sum(plan.amount, currency)
  const note = trial
    ? `Первый платёж со скидкой, дальше ${later}.`
    : 'Списывается каждый период, пока подписку не отменят.'
  return { title, amount: trial?.amount ?? plan.amount, currency, note }
}

function sum(amount: number, currency: string): string {
  return new Intl.NumberFormat('ru-RU', { style: 'currency', currency }).format(amount / 100)
}

const STYLE = `
body { max-width: 420px; margin: 0 auto; padding: 32px 16px; }
.sum { font-size: 32px; margin: 0; }
.banner { padding: 12px; border: 1px solid; border-radius: 8px; }
button { display: block; width: 100%; padding: 12px; margin: 12px 0; font: inherit; border-radius: 8px; border: 1px solid; cursor: pointer; }
.pay { background: #2563eb; color: #ffffff; }`

function frame(body: string): string {
  const banner = '<p class="banner">Это не bePaid, а его замена для проб: деньги не списываются.</p>'
  return htmlPage({ title: 'Тестовая оплата', style: STYLE, body: `${banner}\n${body}` })
}

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
  app.get('/public-key', (c) => c.text(webhookSender.publicKey()))
  app.onError((error, c) => c.json({ message: error.message }, 400))

  const actions: Record<string, (control: z.infer<typeof Control>) => void> = {
    renew: ({ id }) => void accounts.renew(id || newest(accounts.subscriptions), 'successful'),
    'fail-renewal': ({ id }) => void accounts.renew(id || newest(accounts.subscriptions), 'failed'),
    refund: (control) => reverse('refund', control),
    chargeback: (control) => reverse('chargeback', control),
    settle: ({ id }) => accounts.settle(id || newest(accounts.transactions)),
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
