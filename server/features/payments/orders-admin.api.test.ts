import { and, desc, eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { ordersAdminApi } from '#contract/orders-admin.ts'
import { paymentsApi } from '#contract/payments.ts'
import { auditLog, ledger } from '#server/db/schema.ts'
import type { SignedIn } from '#server/testing/app.ts'
import { hold, spend } from '../billing/ledger.ts'
import { startPaidApp } from './testing/paid-app.ts'

const app = await startPaidApp()

const table = (query: Record<string, unknown> = {}) => app.owner.call(ordersAdminApi.table, { query })
const totals = (query: Record<string, unknown> = {}) => app.owner.call(ordersAdminApi.totals, { query })
const card = (id: string) => app.owner.call(ordersAdminApi.card, { params: { id } })
const refund = (id: string, body: { reason?: string; amount?: number; refunded?: number } = {}) =>
  app.owner.call(paymentsApi.refund, { params: { id }, body: { reason: 'По просьбе', ...body } })
const refundsOf = (uid: string | null) =>
  [...app.fakeBepaid.accounts.transactions.values()].filter(({ transaction }) => transaction.parent_uid === uid)
const lastAudit = async (target: string) =>
  (await app.db.select().from(auditLog).where(eq(auditLog.target, target)).orderBy(desc(auditLog.id)))[0]

/** A user who has paid for a bundle of 500 symbols. */
async function aBuyer(email?: string) {
  const person = await app.signIn(email)
  const bundle = await app.aBundle({ symbols: 500, price: 350 })
  const uid = await app.buyBundle(person, bundle.id)
  const [order] = await app.ordersOf(person)
  return { person, bundle, uid, id: order?.id ?? '' }
}

test('orders are found by kind, user and amount', async () => {
  const zoya = await aBuyer('zoya@orders.test')
  const plan = await app.aPlan({ symbols: 1000, price: 990 })
  await app.subscribe(zoya.person, plan.id)
  await zoya.person.call(paymentsApi.bundleUrl, { query: { bundleId: (await app.aBundle({ price: 700 })).id } })
  await refund(zoya.id)
  const kinds = async (query: Record<string, unknown>) =>
    (await table({ query: 'zoya@', sort: 'amount', ...query })).items.map(({ kind, status }) => `${kind} ${status}`)
  expect(await kinds({})).toEqual(['bundle refunded', 'bundle pending', 'plan paid'])
  expect(await kinds({ status: 'paid' })).toEqual(['plan paid'])
  expect(await kinds({ kind: 'bundle' })).toEqual(['bundle refunded', 'bundle pending'])
  expect(await kinds({ planId: plan.id })).toEqual(['plan paid'])
  expect(await kinds({ bundleId: zoya.bundle.id })).toEqual(['bundle refunded'])
  expect(await kinds({ userId: zoya.person.user.id, amountFrom: 351, amountTo: 989 })).toEqual(['bundle pending'])
  expect(await kinds({ to: '2026-01-01' })).toEqual([])
  expect((await table({ query: zoya.uid })).items).toMatchObject([
    { id: zoya.id, email: 'zoya@orders.test', refundedAmount: 350, gatewayUid: zoya.uid },
  ])
  expect((await table({ query: zoya.id })).total).toBe(1)
  expect(await totals({ query: 'zoya@' })).toEqual({
    orders: 3,
    paid: 2,
    money: [{ currency: 'BYN', paid: 1340, refunded: 350 }],
  })
  await expect(table({ sort: 'email' })).rejects.toMatchObject({ status: 400, field: 'sort' })
})

test('the CSV file has the same rows as the list', async () => {
  await aBuyer('fedor@orders.test')
  const file = await (await app.owner.fetch('/api/orders/table/csv?query=fedor@')).text()
  const [head, line, ...rest] = file.trimEnd().split('\r\n')
  expect(head).toMatch(/^Номер;Создан/)
  expect(line).toMatch(/;fedor@orders.test;Пакет символов;Пакет;оплачен;500;3,5;0;BYN;;[\w-]{36};bePaid$/)
  expect(rest).toEqual([])
})

test('only an admin sees orders, and an unknown order is 404', async () => {
  const { person, id } = await aBuyer()
  for (const path of ['table', 'totals', 'table/csv', `${id}/card`])
    expect((await person.fetch(`/api/orders/${path}`)).status).toBe(403)
  await expect(card('nothing')).rejects.toMatchObject({ status: 404 })
})

test('the card shows webhook events, symbols and what remains', async () => {
  const { person, id, uid } = await aBuyer()
  await spend(app.db, { key: `spend:${id}`, userId: person.user.id, kind: 'answer', symbols: 120 })
  const shown = await card(id)
  expect(shown).toMatchObject({
    order: { id, status: 'paid', email: person.user.email, gatewayUid: uid },
    grant: { symbols: 500, remaining: 380, takeable: 380, expiresAt: null },
    subscription: null,
    reversals: [],
    events: [{ kind: 'payment', state: 'taken', status: 'successful', uid, amount: 350, deliveries: 1 }],
  })
  expect(JSON.stringify(shown.events)).not.toMatch(/"(stamp|holder|token)":"(?!•••)/)
  const leaseUntil = new Date(Date.now() + 60_000)
  await hold(app.db, { key: `hold:${id}`, userId: person.user.id, kind: 'answer', symbols: 80, leaseUntil })
  expect((await card(id)).grant).toMatchObject({ remaining: 380, takeable: 300 })
})

test('webhook events of a renewal belong to it, not the first order', async () => {
  const anna = await app.signIn()
  const plan = await app.aPlan({ symbols: 1000 })
  const gatewayId = await app.subscribe(anna, plan.id)
  await app.control('renew', { id: gatewayId })
  const [renewal, first] = await app.ordersOf(anna)
  const [ofFirst, ofRenewal] = [await card(first?.id ?? ''), await card(renewal?.id ?? '')]
  expect(renewal?.kind).toBe('renewal')
  expect(ofFirst.events).toHaveLength(1)
  expect(ofRenewal.events).toHaveLength(1)
  expect(ofFirst.events[0]?.id).not.toBe(ofRenewal.events[0]?.id)
  expect(ofFirst.subscription).toMatchObject({ gatewayId, state: 'active', endsWithRefund: false })
  expect(ofRenewal.subscription).toMatchObject({ endsWithRefund: true, card: expect.stringContaining('••••') })
})

test('a full refund takes the remaining symbols once and is audited', async () => {
  const { person, id, uid } = await aBuyer()
  await spend(app.db, { key: `spend:${id}`, userId: person.user.id, kind: 'answer', symbols: 120 })
  expect(await refund(id, { refunded: 0 })).toMatchObject({ status: 'refunded' })
  await app.fakeBepaid.webhookSender.idle()
  expect((await app.balance(person)).availableTokens).toBe(0)
  const own = and(eq(ledger.userId, person.user.id), eq(ledger.kind, 'take_back'))
  expect(await app.db.select().from(ledger).where(own)).toMatchObject([{ symbols: -380, amount: -350 }])
  expect(await refund(id)).toMatchObject({ status: 'refunded' })
  expect(refundsOf(uid)).toHaveLength(1)
  expect((await card(id)).reversals).toMatchObject([{ kind: 'refund', amount: 350 }])
  expect(await lastAudit(id)).toMatchObject({
    action: 'order.refund',
    actorEmail: 'owner@example.test',
    note: 'По просьбе',
    before: { status: 'paid', refundedAmount: 0 },
    after: { status: 'refunded', refundedAmount: 350 },
  })
})

test('partial refunds leave the symbols, the last part takes them', async () => {
  const { person, id, uid } = await aBuyer()
  expect(await refund(id, { amount: 100 })).toMatchObject({ status: 'paid' })
  await app.fakeBepaid.webhookSender.idle()
  expect((await app.balance(person)).availableTokens).toBe(500)
  expect(await refund(id, { amount: 100, refunded: 100 })).toMatchObject({ status: 'paid' })
  await expect(refund(id, { amount: 151 })).rejects.toMatchObject({ status: 400, field: 'amount' })
  await expect(refund(id, { amount: 0 })).rejects.toMatchObject({ status: 400, field: 'amount' })
  expect(await refund(id)).toMatchObject({ status: 'refunded' })
  await app.fakeBepaid.webhookSender.idle()
  expect((await app.balance(person)).availableTokens).toBe(0)
  expect(refundsOf(uid).map(({ transaction }) => transaction.amount)).toEqual([100, 100, 150])
})

test('two administrators who refund at once refund once', async () => {
  const { person, id, uid } = await aBuyer()
  const tries = await Promise.allSettled([
    refund(id, { refunded: 0 }),
    refund(id, { refunded: 0 }),
    refund(id, { refunded: 0, amount: 350 }),
  ])
  expect(tries.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  await app.fakeBepaid.webhookSender.idle()
  expect(refundsOf(uid)).toHaveLength(1)
  expect((await app.balance(person)).availableTokens).toBe(0)
})

test('a refund based on an outdated amount is rejected', async () => {
  const { id, uid } = await aBuyer()
  await refund(id, { amount: 100, refunded: 0 })
  await expect(refund(id, { refunded: 0 })).rejects.toMatchObject({ status: 409 })
  const other = await aBuyer()
  await app.control('lose-webhook')
  await app.control('timeout-after-commit')
  await expect(refund(other.id, { amount: 50, refunded: 0 })).rejects.toMatchObject({ status: 503 })
  await expect(refund(other.id, { amount: 70, refunded: 0 })).rejects.toMatchObject({ status: 409 })
  expect((await card(other.id)).order.refundedAmount).toBe(50)
  expect(refundsOf(uid)).toHaveLength(1)
  expect(refundsOf(other.uid)).toHaveLength(1)
})

test('checking an order finds a lost payment and is audited (S10.57)', async () => {
  const anna = await app.signIn()
  await app.control('lose-webhook')
  await app.buyBundle(anna, (await app.aBundle()).id)
  const [order] = await app.ordersOf(anna)
  const id = order?.id ?? ''
  expect(order?.status).toBe('pending')
  const params = { id }
  expect(await app.owner.call(paymentsApi.check, { params })).toMatchObject({ status: 'paid' })
  expect((await app.balance(anna)).availableTokens).toBe(500)
  expect(await app.owner.call(paymentsApi.check, { params })).toMatchObject({ status: 'paid' })
  expect((await app.balance(anna)).availableTokens).toBe(500)
  const actions = await app.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.target, id), inArray(auditLog.action, ['order.check'])))
    .orderBy(auditLog.id)
  expect(actions).toMatchObject([
    { before: { status: 'pending' }, after: { status: 'paid' } },
    { action: 'order.check' },
  ])
  await expect((anna as SignedIn).call(paymentsApi.check, { params })).rejects.toMatchObject({ status: 403 })
})
