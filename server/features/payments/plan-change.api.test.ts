import { and, eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { paymentsApi } from '#contract/payments.ts'
import { plansApi } from '#contract/plans.ts'
import { grants, liveSubscription, orders, subscriptions } from '#server/db/schema.ts'
import { GatewayError } from '#server/payments/gateway.ts'
import { reconcilePending } from './poll-gateway.ts'
import { type PaidApp, startPaidApp } from './testing/paid-app.ts'

/** The next charge of a known card is carried out, but the answer is lost. */
let isAnswerLost = false
const app = await startPaidApp({
  gateway: (real) => ({
    ...real,
    subscribeWithCard: async (order) => {
      const answer = await real.subscribeWithCard(order)
      if (!isAnswerLost) return answer
      isAnswerLost = false
      throw new GatewayError('unknown')
    },
  }),
})

type Person = Awaited<ReturnType<PaidApp['signIn']>>
const DAY_MS = 86_400_000

const subjects = async (person: Person) => (await app.emailsTo(person)).map(({ subject }) => subject)
const subscriptionOf = async (gatewayId: string) => {
  const [row] = await app.db.select().from(subscriptions).where(eq(subscriptions.gatewayId, gatewayId))
  if (!row) throw new Error(`No subscription ${gatewayId}`)
  return row
}
const liveOf = (person: Person) =>
  app.db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, person.user.id), liveSubscription()))
const atGateway = (id: string) => app.fakeBepaid.accounts.subscriptions.get(id)?.subscription

async function change(person: Person, planId: string) {
  const { amount } = await person.call(paymentsApi.changeTerms, { query: { planId } })
  return person.call(paymentsApi.changePlan, { body: { planId, amount } })
}

/** Lets a subscription have so many days left, here and at the gateway. */
async function leaveDays(gatewayId: string, days: number) {
  const activeTo = new Date(Date.now() + days * DAY_MS - 60_000)
  const reported = atGateway(gatewayId)
  if (reported) Object.assign(reported, { active_to: activeTo.toISOString(), renew_at: activeTo.toISOString() })
  await app.db.update(subscriptions).set({ activeTo, renewAt: activeTo }).where(eq(subscriptions.gatewayId, gatewayId))
}

async function subscriber(days = 30) {
  const anna = await app.signIn()
  const start = await app.aPlan({ symbols: 1000, price: 990 })
  const pro = await app.aPlan({ symbols: 5000, price: 2990 })
  const id = await app.subscribe(anna, start.id)
  await leaveDays(id, days)
  return { anna, start, pro, id }
}

test('a bigger plan begins at once, and unused days lower the payment (S10.192)', async () => {
  const { anna, start, pro, id } = await subscriber(10)
  const terms = await anna.call(paymentsApi.changeTerms, { query: { planId: pro.id } })
  expect(terms).toMatchObject({
    when: 'now',
    amount: 2660,
    symbols: 4667,
    unused: { days: 10, amount: 330, symbols: 333 },
    next: { amount: 2990 },
  })
  const { redirect_url, SingleSubscription } = await change(anna, pro.id)
  expect(SingleSubscription.plan?.id).toBe(start.id)
  expect(atGateway(id)?.state).toBe('active')
  const back = new URL(await app.press(redirect_url ?? '', 'pay'))
  expect(await app.balance(anna)).toMatchObject({
    availableTokens: 5667,
    recurrent: true,
    plan: { id: pro.id },
    nextCharge: { amount: 2990 },
  })
  await reconcilePending(app.payments)
  expect(atGateway(id)?.state).toBe('canceled')
  expect(await liveOf(anna)).toHaveLength(1)
  const given = await app.db.select().from(grants).where(eq(grants.userId, anna.user.id))
  expect(new Set(given.map(({ expiresAt }) => Number(expiresAt))).size).toBe(1)
  expect((await subjects(anna)).filter((subject) => subject.includes('отменена'))).toEqual([])
  await app.control('renew', { id: back.searchParams.get('id') ?? '' })
  expect((await app.ordersOf(anna)).at(0)).toMatchObject({ kind: 'renewal', amount: 2990, symbols: 5000 })
})

test('a second change counts what the first change carried over (S10.192)', async () => {
  const { anna, pro } = await subscriber()
  const first = await change(anna, pro.id)
  await app.press(first.redirect_url ?? '', 'pay')
  const max = await app.aPlan({ symbols: 9000, price: 4990 })
  expect(await anna.call(paymentsApi.changeTerms, { query: { planId: max.id } })).toMatchObject({
    amount: 2000,
    symbols: 4000,
    unused: { days: 30, amount: 2990, symbols: 5000 },
  })
  const second = await change(anna, max.id)
  await app.press(second.redirect_url ?? '', 'pay')
  const paid = (await app.ordersOf(anna)).reduce((sum, { amount }) => sum + amount, 0)
  expect([paid, (await app.balance(anna)).availableTokens]).toEqual([4990, 9000])
})

test('a change that is declined or left changes nothing', async () => {
  const { anna, start, pro, id } = await subscriber()
  for (const action of ['cancel', 'decline'] as const) {
    const { redirect_url } = await change(anna, pro.id)
    await app.press(redirect_url ?? '', action)
    await reconcilePending(app.payments)
    expect(await app.balance(anna)).toMatchObject({ plan: { id: start.id }, recurrent: true, availableTokens: 1000 })
    expect(atGateway(id)?.state).toBe('active')
  }
})

test('a change whose webhook is repeated or lost happens once', async () => {
  for (const times of [0, 3]) {
    const { anna, pro, id } = await subscriber()
    const { redirect_url } = await change(anna, pro.id)
    if (times === 0) await app.control('lose-webhook')
    await app.press(redirect_url ?? '', 'pay')
    if (times > 0) await app.control('replay', { count: times })
    await reconcilePending(app.payments, new Date(Date.now() + 6 * 60_000))
    await reconcilePending(app.payments, new Date(Date.now() + 7 * 60_000))
    expect(await app.balance(anna)).toMatchObject({ plan: { id: pro.id }, availableTokens: 5000 })
    expect(await app.ordersOf(anna)).toMatchObject([{ amount: 2000, symbols: 4000 }, { amount: 990 }])
    expect(atGateway(id)?.state).toBe('canceled')
  }
})

test('a failed cancellation of the old plan is sent again', async () => {
  const { anna, pro, id } = await subscriber()
  const { redirect_url } = await change(anna, pro.id)
  await app.press(redirect_url ?? '', 'pay')
  expect(atGateway(id)?.state).toBe('active')
  expect(await subscriptionOf(id)).toMatchObject({ cancelRequestedAt: expect.any(Date), canceledAt: null })
  await reconcilePending(app.payments)
  expect(atGateway(id)?.state).toBe('canceled')
})

test('two changes paid at once leave a single subscription (S10.192)', async () => {
  const { anna, pro, id } = await subscriber()
  const max = await app.aPlan({ symbols: 9000, price: 4990 })
  const pages = await Promise.all([pro.id, max.id, pro.id].map((planId) => change(anna, planId)))
  expect(pages[0]?.redirect_url).toBe(pages[2]?.redirect_url)
  await Promise.all(pages.slice(0, 2).map(({ redirect_url }) => app.press(redirect_url ?? '', 'pay')))
  await Promise.all([
    reconcilePending(app.payments),
    app.control('replay', { count: 2 }),
    reconcilePending(app.payments, new Date(Date.now() + 6 * 60_000)),
  ])
  await reconcilePending(app.payments, new Date(Date.now() + 12 * 60_000))
  expect(await liveOf(anna)).toHaveLength(1)
  const paid = (await app.ordersOf(anna)).filter(({ status }) => status === 'paid')
  expect(paid.map(({ amount }) => amount).sort((a, b) => a - b)).toEqual([990, 2000, 4000])
  expect((await app.balance(anna)).availableTokens).toBe(1000 + 4000 + 8000)
  expect(atGateway(id)?.state).toBe('canceled')
})

test('the user pays exactly the sum that was shown', async () => {
  const { anna, pro } = await subscriber()
  const call = anna.call(paymentsApi.changePlan, { body: { planId: pro.id, amount: 1 } })
  await expect(call).rejects.toMatchObject({ status: 409, message: expect.stringContaining('Сумма изменилась') })
  const stranger = await app.signIn()
  await expect(stranger.call(paymentsApi.changeTerms, { query: { planId: pro.id } })).rejects.toMatchObject({
    status: 404,
  })
})

async function downgrader() {
  const anna = await app.signIn()
  const start = await app.aPlan({ symbols: 1000, price: 990 })
  const pro = await app.aPlan({ symbols: 5000, price: 2990 })
  const id = await app.subscribe(anna, pro.id)
  return { anna, start, pro, id }
}

test('a smaller plan begins at the period’s end and can be undone (S10.193)', async () => {
  const { anna, start, pro, id } = await downgrader()
  const { periodEnd } = await app.balance(anna)
  const terms = await anna.call(paymentsApi.changeTerms, { query: { planId: start.id } })
  expect(terms).toMatchObject({ when: 'later', amount: 0, symbols: 0, next: { at: periodEnd, amount: 990 } })
  expect(await change(anna, start.id)).toMatchObject({
    redirect_url: null,
    SingleSubscription: {
      plan: { id: pro.id },
      nextPlan: { id: start.id, name: start.name },
      nextCharge: { amount: 990, at: periodEnd },
      availableTokens: 5000,
    },
  })
  const taken = await anna.call(paymentsApi.keepPlan, {})
  expect(taken.SingleSubscription).toMatchObject({ nextPlan: null, nextCharge: { amount: 2990 } })
  await expect(anna.call(paymentsApi.keepPlan, {})).rejects.toMatchObject({ status: 404 })
  await reconcilePending(app.payments, new Date(Date.parse(periodEnd ?? '') - 60_000))
  expect(atGateway(id)?.state).toBe('active')
})

/** Ends the period of a subscription: first the old one is ended, then the next plan begins. */
async function endPeriod(id: string) {
  const { activeTo } = await subscriptionOf(id)
  const end = Number(activeTo)
  await reconcilePending(app.payments, new Date(end - 10 * 60_000))
  expect(atGateway(id)?.state).toBe('canceled')
  await reconcilePending(app.payments, new Date(end - 5 * 60_000))
  return {
    begin: async (minutes = 1) => {
      await reconcilePending(app.payments, new Date(end + minutes * 60_000))
      await app.fakeBepaid.webhookSender.idle()
    },
  }
}

test('the card is charged once for the smaller plan at the end (S10.193)', async () => {
  const { anna, start, id } = await downgrader()
  await change(anna, start.id)
  const { begin } = await endPeriod(id)
  expect(await app.balance(anna)).toMatchObject({ recurrent: true, nextPlan: { id: start.id } })
  await expect(anna.call(paymentsApi.keepPlan, {})).rejects.toMatchObject({ status: 409 })
  await begin()
  await begin(2)
  await app.control('replay', { count: 1 })
  expect(await app.balance(anna)).toMatchObject({ plan: { id: start.id }, recurrent: true, nextPlan: null })
  const made = await app.ordersOf(anna)
  expect(made.map(({ status, amount }) => [status, amount])).toEqual([
    ['paid', 990],
    ['paid', 2990],
  ])
  expect((await subjects(anna)).filter((subject) => subject.includes('отменена'))).toEqual([])
})

test('a gateway that charged without answering is not asked to charge again (S10.193)', async () => {
  const { anna, start, id } = await downgrader()
  await change(anna, start.id)
  const { begin } = await endPeriod(id)
  await app.control('lose-webhook')
  isAnswerLost = true
  await begin()
  for (const minutes of [3, 10, 20]) await begin(minutes)
  const charged = [...app.fakeBepaid.accounts.transactions.values()].filter(({ transaction }) =>
    transaction.description.includes(start.name),
  )
  expect(charged).toHaveLength(1)
  expect(await app.balance(anna)).toMatchObject({ plan: { id: start.id }, recurrent: true })
  expect((await app.ordersOf(anna)).filter(({ status }) => status === 'paid')).toHaveLength(2)
})

test('a process frozen before charging leaves the charge to the next process', async () => {
  const { anna, start, id } = await downgrader()
  await change(anna, start.id)
  const { begin } = await endPeriod(id)
  // Each reading of the clock is five minutes later than the one before.
  let minutes = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    minutes += 5
    return minutes * 60_000
  })
  await begin()
  clock.mockRestore()
  expect((await app.ordersOf(anna)).map(({ status }) => status)).toEqual(['pending', 'paid'])
  await begin(10)
  expect((await app.ordersOf(anna)).map(({ status }) => status)).toEqual(['paid', 'paid'])
})

test('a declined card at the change ends the subscription with an email', async () => {
  const { anna, start, id } = await downgrader()
  await change(anna, start.id)
  const { begin } = await endPeriod(id)
  app.fakeBepaid.accounts.bank.declinesTokens = true
  await begin()
  app.fakeBepaid.accounts.bank.declinesTokens = false
  await begin(10)
  expect(await app.balance(anna)).toMatchObject({ recurrent: false, nextPlan: null })
  expect(await subjects(anna)).toContain(`Не удалось продлить подписку «${start.name}»`)
  expect((await app.ordersOf(anna)).map(({ status }) => status)).toEqual(['failed', 'paid'])
})

test('cancelling also stops a change that has begun', async () => {
  const { anna, start, id } = await downgrader()
  await change(anna, start.id)
  const { begin } = await endPeriod(id)
  await anna.call(paymentsApi.cancel, {})
  await begin()
  expect(await app.ordersOf(anna)).toHaveLength(1)
  expect(await app.balance(anna)).toMatchObject({ recurrent: false, nextPlan: null })
})

test('a new card restarts the same plan for used days, same terms (S10.195)', async () => {
  const { anna, start, id } = await subscriber(20)
  await app.owner.call(plansApi.update, { params: { id: start.id }, body: { price: 1990 } })
  const terms = await anna.call(paymentsApi.changeTerms, { query: { planId: start.id } })
  expect(terms).toMatchObject({ when: 'now', amount: 330, symbols: 334, next: { amount: 990 } })
  const { redirect_url } = await change(anna, start.id)
  await app.press(redirect_url ?? '', 'pay')
  await reconcilePending(app.payments)
  expect(await app.balance(anna)).toMatchObject({ availableTokens: 1334, nextCharge: { amount: 990 } })
  expect(atGateway(id)?.state).toBe('canceled')
})

test('removing the card ends renewal and forgets the card for good (S10.195)', async () => {
  const { anna, id } = await subscriber()
  expect((await app.balance(anna)).card?.last4).toBe('0000')
  const { SingleSubscription } = await anna.call(paymentsApi.removeCard, {})
  expect(SingleSubscription).toMatchObject({ recurrent: false, card: null, availableTokens: 1000 })
  await app.control('replay', { count: 1 })
  expect(await subscriptionOf(id)).toMatchObject({ cardLast4: null, cardBrand: null, state: 'canceled' })
  expect((await app.balance(anna)).card).toBeNull()
})

test('paid days count after a cancellation when the user subscribes again (S10.196)', async () => {
  const { anna, start, pro } = await subscriber(15)
  await anna.call(paymentsApi.cancel, {})
  expect(await anna.call(paymentsApi.changeTerms, { query: { planId: start.id } })).toMatchObject({
    when: 'now',
    amount: 495,
    symbols: 500,
    unused: { days: 15 },
  })
  const { redirect_url } = await change(anna, pro.id)
  await app.press(redirect_url ?? '', 'pay')
  expect(await app.balance(anna)).toMatchObject({ recurrent: true, plan: { id: pro.id }, availableTokens: 5500 })
  const [order] = await app.db
    .select()
    .from(orders)
    .where(and(eq(orders.userId, anna.user.id), eq(orders.amount, 2495)))
  expect(order?.status).toBe('paid')
})
