import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { type DisputeQuery, disputesApi } from '#contract/disputes.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { usersApi } from '#contract/users.ts'
import { auditLog, ledger, models } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { testApp } from '#server/testing/app.ts'
import { aMessage, aThread } from '#server/testing/builders.ts'
import { aDispute } from '../audit/testing/admin-actions.ts'
import { reconcile } from '../billing/invariants.ts'
import { spend } from '../billing/ledger.ts'

const app = await testApp({ startSymbols: 0 })
const owner = await app.signIn('owner@example.test')
const anna = await app.signIn('anna@example.test')
afterAll(async () => {
  expect(await reconcile(app.db)).toEqual([])
})

/** Anna disputes a charge. Returns her balance before it and a reader of her emails. */
async function dispute(symbols = 100) {
  const made = await aDispute({ ...app, owner }, anna, symbols)
  await app.sendEmails()
  app.outbox.length = 0
  return { ...made, left: await balanceOf() }
}
const list = async (query: Partial<DisputeQuery> = {}) => (await owner.call(disputesApi.list, { query })).items
const giveBack = (id: string, body: { symbols?: number; answer?: string } = {}) =>
  owner.call(disputesApi.giveBack, { params: { id }, body })
const refuse = (id: string, answer = 'Ответ пришёл целиком') =>
  owner.call(disputesApi.refuse, { params: { id }, body: { answer } })
const balanceOf = async () => (await anna.call(usersApi.me, {})).SingleSubscription.availableTokens
const operation = async (id: string) =>
  (await anna.call(transactionsApi.list, { query: {} })).find((entry) => entry.id === id)
const emails = async () => {
  await app.sendEmails()
  return app.outbox.filter(({ to }) => to === anna.user.email)
}
const rowsOf = (id: string) => app.db.select().from(auditLog).where(eq(auditLog.target, id))

test('a disputed charge waits for a decision, and the user sees it', async () => {
  const { count } = await owner.call(disputesApi.waiting, {})
  const { id, entryId } = await dispute()
  expect(await owner.call(disputesApi.waiting, {})).toEqual({ count: count + 1 })
  expect(await owner.call(disputesApi.get, { params: { id } })).toMatchObject({
    status: 'open',
    reason: 'Перевод не пришёл',
    answer: null,
    returned: null,
    user: { id: anna.user.id, email: anna.user.email },
    entry: { id: entryId, kind: 'translate', symbols: -100, input: 100 },
  })
  expect(await operation(entryId)).toMatchObject({
    disputed: true,
    dispute: { status: 'open', reason: 'Перевод не пришёл', answer: null, returned: null },
  })
})

test('a full return appears in balance, operations, email and over the socket', async () => {
  const { id, entryId, left } = await dispute()
  const published: unknown[] = []
  app.bus.listen((one) => one.type === 'event' && one.userId === anna.user.id && published.push(one.event))
  const decided = await giveBack(id, { answer: 'Вы правы, простите' })
  expect(published).toEqual([{ topic: 'profile', type: 'changed', data: null }])
  expect(decided).toMatchObject({ status: 'returned', returned: 100, decidedBy: 'owner@example.test' })
  expect(await balanceOf()).toBe(left + 100)
  const [newest] = await anna.call(transactionsApi.list, { query: { limit: 1 } })
  expect(newest).toMatchObject({ kind: 'refund', symbols: 100 })
  expect((await operation(entryId))?.dispute).toMatchObject({
    status: 'returned',
    returned: 100,
    answer: 'Вы правы, простите',
  })
  const [mail] = await emails()
  expect(mail?.subject).toBe('Символы возвращены: 100 символов')
  expect(mail?.text).toContain('Вы правы, простите')
  expect(mail?.text).toContain('/profile/operations#operations')
})

test('a part can be returned, but not more than was charged', async () => {
  const { id, left } = await dispute()
  await expect(giveBack(id, { symbols: 101 })).rejects.toMatchObject({ status: 400, field: 'symbols' })
  await expect(giveBack(id, { symbols: 0 })).rejects.toMatchObject({ status: 400 })
  expect(await balanceOf()).toBe(left)
  expect(await giveBack(id, { symbols: 40 })).toMatchObject({ returned: 40, answer: null })
  expect(await balanceOf()).toBe(left + 40)
  expect((await emails())[0]?.text).toContain('возвращено 40 символов из 100 символов')
})

test('a rejection needs a reason that the user sees; the balance stays', async () => {
  const { id, entryId, left } = await dispute()
  await expect(refuse(id, '   ')).rejects.toMatchObject({ status: 400, field: 'answer' })
  expect(await refuse(id)).toMatchObject({ status: 'refused', returned: null })
  expect(await balanceOf()).toBe(left)
  expect((await operation(entryId))?.dispute).toMatchObject({ status: 'refused', answer: 'Ответ пришёл целиком' })
  expect((await emails())[0]).toMatchObject({ subject: 'Списание проверено: ошибки нет' })
  expect((await emails())[0]?.text).toContain('Почему: Ответ пришёл целиком')
})

test('a decision cannot be changed', async () => {
  const { id, left } = await dispute()
  await giveBack(id)
  await expect(giveBack(id)).rejects.toMatchObject({ status: 409 })
  await expect(refuse(id)).rejects.toMatchObject({ status: 409 })
  expect(await balanceOf()).toBe(left + 100)
  expect(await rowsOf(id)).toHaveLength(1)
})

test('parallel decisions make a single return, audit entry and email', async () => {
  const { id, left } = await dispute()
  const tries = Array.from({ length: 10 }, (_, n) => (n % 2 ? giveBack(id, { symbols: 50 + n }) : refuse(id)))
  const outcomes = await Promise.allSettled(tries)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409 })
  }
  const { status, returned } = await owner.call(disputesApi.get, { params: { id } })
  expect(await balanceOf()).toBe(left + (returned ?? 0))
  expect(await app.db.$count(ledger, eq(ledger.key, `dispute:${id}`))).toBe(status === 'returned' ? 1 : 0)
  expect(await rowsOf(id)).toHaveLength(1)
  expect(await emails()).toHaveLength(1)
})

test('a decision is audited with the user, the amount and the reason', async () => {
  const { id, entryId } = await dispute()
  await giveBack(id, { symbols: 30, answer: 'Часть ответа пришла' })
  expect(await rowsOf(id)).toMatchObject([
    {
      action: 'dispute.return',
      actorId: owner.user.id,
      before: null,
      after: { user: anna.user.email, operation: entryId, charged: 100, symbols: 30 },
      note: 'Часть ответа пришла',
    },
  ])
})

test('the queue starts with the oldest dispute and can be filtered', async () => {
  const first = await dispute(200)
  const then = await dispute(300)
  await refuse(first.id)
  const ids = async (query: Partial<DisputeQuery>) => (await list(query)).map(({ id }) => id)
  expect((await ids({ status: 'open' })).at(-1)).toBe(then.id)
  expect(await ids({ status: 'open' })).not.toContain(first.id)
  expect(await ids({ status: 'refused', sort: '-createdAt' })).toContain(first.id)
  expect((await ids({ sort: '-symbols' })).slice(0, 2)).toEqual([then.id, first.id])
  expect(await ids({ query: 'ANNA@' })).toContain(then.id)
  expect(await ids({ query: 'перевод не пришёл' })).toContain(then.id)
  expect(await ids({ query: 'нет такого' })).toEqual([])
})

test('a charge for an answer shows sizes, never texts (S10.221)', async () => {
  const [model] = await app.db.select().from(models)
  const thread = await aThread(app.db, anna.user.id)
  const parts = {
    question: 30,
    history: 50,
    historyMessages: 2,
    cutMessages: 0,
    instructions: 0,
    files: 10,
    passages: 6,
    personal: 4,
  }
  const answer = await aMessage(app.db, thread, {
    role: 'assistant',
    content: 'Тайна',
    status: 'stopped',
    input: 100,
    output: 5,
    charged: 105,
    parts,
  })
  const charge = { key: newId(), userId: anna.user.id, kind: 'answer' as const, symbols: 105, modelId: model?.id ?? '' }
  await spend(app.db, { ...charge, threadId: thread.id, messageId: answer.id, input: 100, output: 5 })
  const [entry] = await anna.call(transactionsApi.list, { query: { limit: 1 } })
  await anna.call(transactionsApi.dispute, { params: { id: entry?.id ?? '' }, body: { reason: 'Оборвался' } })
  const [found] = await list({ query: 'Оборвался' })
  const details = await owner.call(disputesApi.get, { params: { id: found?.id ?? '' } })
  expect(details).toMatchObject({ entry: { inputParts: parts }, messageStatus: 'stopped', model: model?.name })
  expect(JSON.stringify(details)).not.toContain('Тайна')
})

test('only an administrator sees and decides disputes', async () => {
  const { id } = await dispute()
  const params = { id }
  const refused = { status: 403 }
  await expect(anna.call(disputesApi.list, { query: {} })).rejects.toMatchObject(refused)
  await expect(anna.call(disputesApi.get, { params })).rejects.toMatchObject(refused)
  await expect(anna.call(disputesApi.giveBack, { params, body: {} })).rejects.toMatchObject(refused)
  await expect(anna.call(disputesApi.refuse, { params, body: { answer: 'x' } })).rejects.toMatchObject(refused)
  await expect(giveBack('none')).rejects.toMatchObject({ status: 404 })
  await expect(refuse('none')).rejects.toMatchObject({ status: 404 })
})
