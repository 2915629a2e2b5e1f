import { Hono } from 'hono'
import { renderSVG } from 'uqr'
import { escapeHtml, htmlPage } from '#server/lib/html.ts'
import type { FakePayment, FakeShop, Faults } from './accounts.ts'

const reasons = {
  insufficient_funds: 'не хватает денег',
  card_expired: 'карта просрочена',
  '3d_secure_failed': 'не подтверждён код',
  fraud_suspected: 'банк подозревает обман',
  general_decline: 'банк не назвал причину',
}

/** The page where the payer pays, the page of the bank for СБП, and the page that saves a method. */
export function yookassaPages(shop: FakeShop, url: () => string): Hono {
  const app = new Hono()
  app.get('/checkout', (c) => {
    const payment = openPayment(shop, c.req.query('id'))
    return payment ? c.html(payPage(payment, 'checkout')) : c.html(endedPage(), 404)
  })
  app.get('/sbp', (c) => {
    const payment = openPayment(shop, c.req.query('id'))
    const picture = renderSVG(`${url()}/sbp?id=${payment?.id ?? ''}`)
    return payment ? c.html(payPage(payment, 'sbp', picture)) : c.html(endedPage(), 404)
  })
  for (const path of ['/checkout', '/sbp']) {
    app.post(path, async (c) => {
      const form = await c.req.parseBody()
      const id = String(form.id)
      if (!openPayment(shop, id)) return c.html(endedPage(), 404)
      if (form.action === 'pay') shop.pay(id)
      else if (form.action === 'decline') shop.decline(id, String(form.reason))
      const back = shop.returnUrls.get(id)
      return path === '/sbp' || !back ? c.html(donePage()) : c.redirect(back, 303)
    })
  }
  app.get('/bind', (c) => {
    const id = c.req.query('id') ?? ''
    if (shop.methods.get(id)?.status !== 'pending') return c.html(endedPage(), 404)
    return c.html(
      frame(`<h1>Сохранить способ оплаты</h1><p>Деньги не списываются.</p>
<form method="post" action="/bind"><input type="hidden" name="id" value="${escapeHtml(id)}">
<button name="action" value="pay" class="pay">Сохранить</button><button name="action" value="close">Закрыть</button></form>`),
    )
  })
  app.post('/bind', async (c) => {
    const form = await c.req.parseBody()
    const id = String(form.id)
    if (form.action === 'pay') shop.confirmMethod(id)
    const back = shop.returnUrls.get(id)
    return back ? c.redirect(back, 303) : c.html(donePage())
  })
  return app
}

function openPayment(shop: FakeShop, id: string | undefined): FakePayment | null {
  const payment = shop.payments.get(id ?? '')
  return payment?.status === 'pending' ? payment : null
}

function payPage({ id, description, amount }: FakePayment, path: string, picture = ''): string {
  const sum = new Intl.NumberFormat('ru-RU', { style: 'currency', currency: amount.currency }).format(
    Number(amount.value),
  )
  const options = Object.entries(reasons).map(([value, label]) => `<option value="${value}">${label}</option>`)
  return frame(`<h1>${escapeHtml(description)}</h1>
<p class="sum">${escapeHtml(sum)}</p>
${picture && `<div class="qr">${picture}</div>`}
<form method="post" action="/${path}"><input type="hidden" name="id" value="${escapeHtml(id)}">
<button name="action" value="pay" class="pay">Оплатить</button>
<label>Отклонить: <select name="reason">${options.join('')}</select></label>
<button name="action" value="decline">Отклонить</button>
<button name="action" value="close">Закрыть</button></form>`)
}

const endedPage = () => frame('<h1>Эта страница больше не действует</h1><p>Вернитесь и начните оплату заново.</p>')
const donePage = () => frame('<h1>Готово</h1><p>Вернитесь на страницу, с которой платили.</p>')

const STYLE = `
body { max-width: 420px; margin: 0 auto; padding: 32px 16px; }
.sum { font-size: 32px; margin: 0; }
.qr svg { width: 220px; height: 220px; background: #ffffff; }
.banner { padding: 12px; border: 1px solid; border-radius: 8px; }
button, select { display: block; width: 100%; padding: 12px; margin: 12px 0; font: inherit; border-radius: 8px; border: 1px solid; cursor: pointer; }
.pay { background: #2563eb; color: #ffffff; }`

function frame(body: string): string {
  const banner = '<p class="banner">Это не ЮKassa, а её замена для проб: деньги не списываются.</p>'
  return htmlPage({ title: 'Тестовая оплата', style: STYLE, body: `${banner}\n${body}` })
}

/** Faults and events on demand: `POST /__fake/fault {"lost": 1}`, `/__fake/expire`, without an id for the newest. */
export function yookassaControls(shop: FakeShop): Hono {
  const app = new Hono()
  app.onError((error, c) => c.json({ message: error.message }, 400))
  const newest = (things: Map<string, unknown>) => [...things.keys()].at(-1) ?? ''
  const actions: Record<string, (id: string) => void> = {
    pay: (id) => shop.pay(id || newest(shop.payments)),
    expire: (id) => shop.expire(id || newest(shop.payments)),
    revoke: (id) => shop.revoke(id || newest(shop.methods)),
    'end-refund': (id) => shop.endRefund(id || newest(shop.refunds), 'succeeded'),
    'cancel-refund': (id) => shop.endRefund(id || newest(shop.refunds), 'canceled'),
    'register-receipt': (id) => shop.endReceipt(id || newest(shop.receipts), 'succeeded'),
  }
  app.post('/fault', async (c) => {
    Object.assign(shop.faults, (await c.req.json()) as Partial<Faults>)
    return c.json(shop.faults)
  })
  for (const [name, action] of Object.entries(actions)) {
    app.post(`/${name}`, async (c) => {
      const { id = '' } = JSON.parse((await c.req.text()) || '{}') as { id?: string }
      action(id)
      return c.json({ done: name })
    })
  }
  return app
}
