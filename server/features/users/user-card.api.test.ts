import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { authAdminApi } from '#contract/auth-admin.ts'
import { billingApi } from '#contract/billing.ts'
import { addressOf, fillPath } from '#contract/endpoint.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { usersApi } from '#contract/users.ts'
import { usersAdminApi } from '#contract/users-admin.ts'
import { auditLog, consents, files, orders, plans, planVersions, subscriptions, users } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { aBranch, aThread } from '#server/testing/builders.ts'
import { spend } from '../billing/ledger.ts'

const SECRET = 'Тайна, которую видит только хозяин'
const app = await testApp({ startSymbols: 500 })
const owner = await app.signIn('owner@example.test')
const anna = await app.signIn()
await fill(anna.user.id)

async function fill(userId: string) {
  const { db } = app
  const thread = await aThread(db, userId, { title: SECRET })
  await aBranch(db, thread, 4)
  await aThread(db, userId, { deletedAt: new Date() })
  const file = { kind: 'document', mime: 'text/plain', state: 'ready', name: `${SECRET}.txt`, content: SECRET } as const
  for (const bytes of [100, 250]) {
    await db.insert(files).values({ ...file, id: newId(), userId, bytes, storageKey: newId() })
  }
  await spend(db, { key: 'card:spend', userId, kind: 'answer', symbols: 40 })
  await db.insert(plans).values({ id: 'card-plan', name: 'Личный' })
  const terms = { planId: 'card-plan', symbols: 10, price: 990, currency: 'BYN', intervalDays: 30 }
  await db.insert(planVersions).values({ id: 'card-version', ...terms })
  const bought = { userId, planVersionId: 'card-version' }
  await db.insert(subscriptions).values({ id: 'card-sub', gatewayId: 'g', state: 'active', ...bought })
  await db.insert(consents).values({ id: newId(), textVersion: '2026-11', ip: '203.0.113.9', ...bought })
  const order = { kind: 'plan', title: 'Личный', symbols: 10, amount: 990, currency: 'BYN' } as const
  await db.insert(orders).values({ id: newId(), ...order, ...bought })
}

const card = (id = anna.user.id) => owner.call(usersAdminApi.card, { params: { id } })

test('the card has grants, operations, payments, consents and counts', async () => {
  const operations = await anna.call(transactionsApi.list, { query: {} })
  const charge = operations.find(({ symbols }) => symbols < 0)
  await anna.call(transactionsApi.dispute, { params: { id: charge?.id ?? '' }, body: { reason: 'Не моё' } })
  expect(await card()).toMatchObject({
    email: anna.user.email,
    role: 'user',
    emailVerified: true,
    banned: false,
    SingleSubscription: { availableTokens: 460 },
    grants: [{ kind: 'gift', symbols: 500, remaining: 460 }],
    spent: { month: 40, total: 40 },
    operations: [{ kind: 'answer', symbols: -40, disputed: true }, { kind: 'gift' }],
    orders: [{ title: 'Личный', amount: 990, status: 'pending' }],
    subscriptions: [{ plan: { name: 'Личный' }, price: { amount: 990, currency: 'BYN' }, state: 'active' }],
    consents: [{ plan: 'Личный', textVersion: '2026-11', ip: '203.0.113.9' }],
    counts: { threads: 2, messages: 4, files: 2, fileBytes: 350, disputes: 1, openDisputes: 1 },
  })
})

test('the card has no texts, titles, file names or secrets', async () => {
  const text = await (await owner.fetch(fillPath(usersAdminApi.card.path, { id: anna.user.id }))).text()
  for (const word of [SECRET, 'Вопрос 1', 'Ответ 2', 'password', 'token"']) expect(text).not.toContain(word)
})

test('an unknown user has no card, and a user cannot read cards', async () => {
  await expect(card('no-such-user')).rejects.toMatchObject({ status: 404 })
  await expect(anna.call(usersAdminApi.card, { params: { id: anna.user.id } })).rejects.toMatchObject({ status: 403 })
})

test('the card shows a ban with reason and end, and its removal', async () => {
  const userId = anna.user.id
  await owner.call(authAdminApi.banUser, { body: { userId, banReason: 'спам', banExpiresIn: 3600 } })
  const banned = await card()
  expect(banned).toMatchObject({ banned: true, banReason: 'спам' })
  expect(Date.parse(banned.banExpires ?? '') - Date.now()).toBeGreaterThan(3_500_000)
  await expect(anna.call(usersApi.me, {})).rejects.toMatchObject({ status: 401 })
  await owner.call(authAdminApi.unbanUser, { body: { userId } })
  expect(await card()).toMatchObject({ banned: false, banReason: null, banExpires: null })
})

const dataOf = async (who: SignedIn, id: string) => {
  const answer = await who.fetch(addressOf(usersApi.export, { params: { id } }))
  return { answer, text: await answer.text() }
}

test('a user downloads the own data with all texts', async () => {
  const again = await app.signIn(anna.user.email)
  const { answer, text } = await dataOf(again, anna.user.id)
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="symbol-data-\d{4}-\d\d-\d\d\.json"$/,
  )
  const data = JSON.parse(text)
  expect(data).toMatchObject({
    account: { email: anna.user.email },
    settings: { threadHistory: true },
    operations: [{ kind: 'answer' }, { kind: 'gift' }],
    consents: [{ textVersion: '2026-11' }],
    threads: [{ title: SECRET, messages: [{ content: 'Вопрос 1' }, {}, {}, { content: 'Ответ 4' }] }, { messages: [] }],
    files: [{ name: `${SECRET}.txt` }, {}],
    prompts: [],
  })
  expect(text).not.toMatch(/"(password|accessToken|token|storageKey)"/)
})

test('an administrator gets the data without texts, and the download is audited', async () => {
  const { text } = await dataOf(owner, anna.user.id)
  const data = JSON.parse(text)
  expect(data).toMatchObject({ account: { email: anna.user.email }, counts: { threads: 2 }, orders: [{ amount: 990 }] })
  expect(text).not.toContain(SECRET)
  for (const part of ['threads', 'prompts', 'assistants', 'files']) expect(data).not.toHaveProperty(part)
  const noted = await app.db.select().from(auditLog).where(eq(auditLog.action, 'user.download'))
  expect(noted).toMatchObject([{ target: anna.user.id, actorId: owner.user.id }])
  expect((await dataOf(anna, owner.user.id)).answer.status).not.toBe(200)
})

test('a deleted user leaves the list and card; payments stay recorded', async () => {
  const boris = await app.signIn()
  const id = boris.user.id
  await owner.call(billingApi.gift, { params: { id }, body: { symbols: 5, reason: 'проба' } })
  await owner.call(authAdminApi.removeUser, { body: { userId: id } })
  await expect(card(id)).rejects.toMatchObject({ status: 404 })
  expect((await owner.call(usersAdminApi.list, { query: { query: boris.user.email } })).total).toBe(0)
  await expect(boris.call(usersApi.me, {})).rejects.toMatchObject({ status: 401 })
  expect(await app.db.select().from(users).where(eq(users.id, id))).toEqual([])
})
