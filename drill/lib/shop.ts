import { setTimeout as pause } from 'node:timers/promises'
import type { FakePayment } from '#server/payments/fake-yookassa/accounts.ts'
import { startFakeYookassa } from '#server/payments/fake-yookassa/fake-yookassa.ts'
import { callAs } from './calls.ts'
import { OWNER, type Person, signIn } from './people.ts'
import { type Stage, until } from './stage.ts'

type FakeShop = Awaited<ReturnType<typeof startFakeYookassa>>['shop']

/** A fake ЮKassa that outlives the servers, two servers that sell through it, and three buyers. */
export interface Sale {
  shop: FakeShop
  owner: Person
  bundleId: string
  /** Opens a page and pays later. */
  buyer: Person
  /** Has a plan whose renewal is due when `makeDue` says so. */
  subscriber: Person
  /** Of a paid bundle, which is refunded. */
  refundedId: string
  close: () => Promise<void>
}

const TRIES = 90
const SETTLED_SECONDS = 60

export async function openSale(stage: Stage): Promise<Sale> {
  const { balancer } = stage
  const fake = await startFakeYookassa({ port: 0, notificationUrl: `${balancer.url}/api/yookassa/webhook` })
  const { shopId, secretKey, apiUrl } = fake.settings
  const env = { YOOKASSA_SHOP_ID: shopId, YOOKASSA_SECRET_KEY: secretKey, YOOKASSA_API_URL: apiUrl }
  for (const name of ['a', 'b']) stage.instances.push(await stage.newInstance(name, env))
  await Promise.all(stage.instances.map((instance) => instance.start()))
  balancer.use(stage.instances)
  const owner = await signIn(stage.at(0).url, balancer.url, OWNER, '10.9.9.8')
  const [buyer, subscriber, other] = stage.people
  if (!buyer || !subscriber || !other) throw new Error('Мало людей')
  const terms = { symbols: 1000, price: 99_000, currency: 'RUB' }
  const plan = await insist(owner, `${balancer.url}/api/plans`, { body: { name: 'Учение', ...terms } })
  const bundle = await insist(owner, `${balancer.url}/api/tokens-bundles`, { body: { name: 'Учение', ...terms } })
  const sale: Sale = {
    ...{ shop: fake.shop, owner, buyer, subscriber, bundleId: String(bundle.id), refundedId: '', close: fake.close },
  }
  const planPage = `${balancer.url}/api/bepaid/get-subscription-url?planId=${plan.id}`
  for (const [person, page] of [
    [subscriber, planPage],
    [other, bundlePage(stage, sale)],
  ] as const) {
    await insist(person, page)
    fake.shop.pay([...fake.shop.payments.keys()].at(-1) ?? '')
    await fake.shop.idle()
  }
  const paid = await stage.db.query(`select id, kind from orders where gateway = 'yookassa' and status = 'paid'`)
  sale.refundedId = paid.rows.find(({ kind }) => kind === 'bundle')?.id ?? ''
  if (paid.rows.length !== 2) stage.fail(`до сбоя оплачено ${paid.rows.length} из 2`)
  return sale
}

export const bundlePage = ({ balancer }: Pick<Stage, 'balancer'>, { bundleId }: Pick<Sale, 'bundleId'>) =>
  `${balancer.url}/api/bepaid/get-bundle-url?bundleId=${bundleId}`

/** Repeats a call until it succeeds, as a person does who sees an error. */
export async function insist(person: Person, url: string, { body }: { body?: object } = {}) {
  let status = 0
  for (let tries = 0; tries < TRIES; tries++) {
    const called = await callAs(person, url, { ...(body && { method: 'POST', body }), limitSeconds: 45 })
    if (called.status === 200) return called.body
    status = called.status
    await pause(1000)
  }
  throw new Error(`${new URL(url).pathname}: ${status}`)
}

export const refund = ({ balancer }: Stage, { owner, refundedId }: Sale) =>
  callAs(owner, `${balancer.url}/api/orders/${refundedId}/refund`, { method: 'POST', body: { reason: 'Учение' } })

/** The paid period of the subscriber is over. */
export async function makeDue({ db }: Stage): Promise<void> {
  await db.query(`update subscriptions set renew_at = now(), active_to = now(), check_at = now()
    where gateway = 'yookassa' and paid_billing_cycles = 1`)
  await hurry(db)
}

/** What would be asked about in a few minutes is asked about now. */
async function hurry(db: Stage['db']): Promise<void> {
  for (const table of ['orders', 'subscriptions', 'refunds'])
    await db.query(`update ${table} set check_at = now() where gateway = 'yookassa' and check_at is not null
      and check_at < now() + interval '1 hour'`)
  await db.query(`update job_runs set next_at = now() where name = 'reconcile-pending'`)
}

/** A page whose request died is opened anew after a minute and a half; here at once. */
export const forgetOpening = ({ db }: Stage) =>
  db.query(`update orders set created_at = created_at - interval '2 minutes' where redirect_url is null
    and gateway = 'yookassa' and status = 'pending' and kind = 'bundle'`)

/**
 * Waits until the payment, the renewal and the refund are through, then compares the shop with the database: nothing
 * may be charged twice, and nothing that was charged may be missing. Resolves to the seconds of waiting.
 */
export async function settle(stage: Stage, { shop }: Sale): Promise<number> {
  const began = performance.now()
  const isThrough = async () => {
    await hurry(stage.db)
    await pause(500)
    const { rows } = await stage.db.query(`select kind, status from orders where gateway = 'yookassa'`)
    const count = (kind: string, status: string) =>
      rows.filter((row) => row.kind === kind && row.status === status).length
    return count('bundle', 'paid') === 1 && count('bundle', 'refunded') === 1 && count('renewal', 'paid') === 1
  }
  const isSettled = await until(SETTLED_SECONDS, () => isThrough().catch(() => false))
  if (!isSettled) stage.fail('оплата, продление и возврат не закончились за минуту')
  await judge(stage, shop)
  return (performance.now() - began) / 1000
}

async function judge({ db, findings }: Stage, shop: FakeShop): Promise<void> {
  const { rows } = await db.query(`
    select o.id, o.kind, o.paid_at is not null as paid, o.refunded_amount::int as refunded,
      (select count(*)::int from grants g where g.order_id = o.id) as grants
    from orders o where o.gateway = 'yookassa'`)
  const say = (column: 'lost' | 'charges', text: string) => {
    findings[column] += 1
    findings.details.push(text)
  }
  const paid = [...shop.payments.values()].filter((payment) => payment.paid)
  const isOf = (order: { kind: string; id: string }) => (payment: FakePayment) =>
    payment.metadata.order === `${order.kind}:${order.id}`
  for (const order of rows) {
    const made = paid.filter(isOf(order))
    const name = `${order.kind} ${order.id}`
    if (made.length > 1) say('charges', `${name}: списано ${made.length} раза`)
    if (made.length > 0 !== order.paid)
      say(order.paid ? 'charges' : 'lost', `${name}: у шлюза ${made.length}, учтён ${order.paid}`)
    if (order.grants !== (order.paid ? 1 : 0)) say('charges', `${name}: начислений ${order.grants}`)
    const back = [...shop.refunds.values()].filter(({ payment_id }) => made.some(({ id }) => id === payment_id))
    const sum = back.reduce((total, { amount }) => total + Number(amount.value.replace('.', '')), 0)
    if (back.length > 1 || sum !== order.refunded)
      say('charges', `${name}: возвращено ${sum}, учтено ${order.refunded}`)
  }
  const lost = paid.filter((payment) => !rows.some((order) => isOf(order)(payment)))
  for (const { id } of lost) say('lost', `платёж ${id} ни к чему не относится`)
}
