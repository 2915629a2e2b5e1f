import { and, eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { NEXT_CURSOR } from '#contract/paging.ts'
import { type Transaction, transactionsApi } from '#contract/transactions.ts'
import { ledgerApi } from '#contract/transactions-admin.ts'
import { disputes, events } from '#server/db/schema.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { aMessage, aThread } from '#server/testing/builders.ts'
import { startOfDay } from '../billing/days.ts'
import { reconcile } from '../billing/invariants.ts'
import { grant, spend } from '../billing/ledger.ts'
import { namesShown } from './testing/names-shown.ts'

const app = await testApp({ startSymbols: 0 })
const owner = await app.signIn('owner@example.test')
afterAll(async () => expect(await reconcile(app.db)).toEqual([]))

const give = (userId: string, symbols: number, at = new Date()) =>
  grant(app.db, { userId, kind: 'gift', symbols, key: `give:${userId}:${at.getTime()}` }, at)
const charge = (userId: string, symbols: number, at = new Date()) =>
  spend(app.db, { userId, kind: 'answer', symbols, key: `charge:${userId}:${symbols}`, modelId: 'demo' }, at)
const list = (who: SignedIn, query = {}) => who.call(transactionsApi.list, { query })
const symbolsOf = (rows: Transaction[]) => rows.map(({ symbols }) => symbols)

async function withEntries() {
  const person = await app.signIn()
  await give(person.user.id, 100)
  await charge(person.user.id, 10)
  await charge(person.user.id, 20)
  return person
}

test('a user reads their own entries, newest first', async () => {
  const anna = await withEntries()
  const rows = await list(anna)
  expect(rows).toMatchObject([
    { kind: 'answer', symbols: -20, balanceAfter: 70, modelId: 'demo', disputed: false },
    { kind: 'answer', symbols: -10, balanceAfter: 90 },
    { kind: 'gift', symbols: 100, balanceAfter: 100, userId: anna.user.id },
  ])
  expect(await list(await app.signIn())).toEqual([])
  expect(symbolsOf(await list(anna, { direction: 'in' }))).toEqual([100])
  expect(symbolsOf(await list(anna, { direction: 'out' }))).toEqual([-20, -10])
})

test('the chat of a charge is named to its owner only (S10.1450)', async () => {
  const anna = await app.signIn()
  await give(anna.user.id, 100)
  const thread = await aThread(app.db, anna.user.id, { title: 'Развод и раздел' })
  const gone = await aThread(app.db, anna.user.id, { title: 'Удалённый', deletedAt: new Date() })
  const charge = { userId: anna.user.id, kind: 'answer', symbols: 3 } as const
  await spend(app.db, { ...charge, key: `named:${thread.id}`, threadId: thread.id })
  await spend(app.db, { ...charge, key: `named:${gone.id}`, threadId: gone.id })
  const { subjects, csv, toAdmin } = await namesShown(anna, owner)
  expect(subjects).toEqual([null, 'Развод и раздел'])
  expect(csv).toContain('Развод и раздел')
  expect(toAdmin).not.toContain('Развод')
})

test('an answer shows the parts of its input where they are known (S10.1452)', async () => {
  const anna = await app.signIn()
  await give(anna.user.id, 30_000)
  const thread = await aThread(app.db, anna.user.id)
  const parts = {
    ...{ question: 48, history: 0, historyMessages: 0, cutMessages: 0 },
    ...{ instructions: 278, passages: 9810, files: 0, personal: 0 },
  }
  const message = await aMessage(app.db, thread, { role: 'assistant', parts, charged: 10_656 })
  const charge = { userId: anna.user.id, kind: 'answer', threadId: thread.id, messageId: message.id } as const
  const rates = { inputRate: 1, outputRate: 1, output: 10 }
  await spend(app.db, { ...charge, ...rates, key: `whole:${message.id}`, symbols: 10_146, input: 10_136 })
  await spend(app.db, { ...charge, ...rates, key: `piece:${message.id}`, symbols: 510, input: 500 })
  const [piece, whole] = await list(anna)
  expect(whole).toMatchObject({ inputParts: parts, input: 10_136 })
  expect(piece).toMatchObject({ inputParts: null, input: 500 })
  const card = await owner.call(ledgerApi.card, { params: { id: whole?.id ?? '' } })
  expect(card).toMatchObject({ inputParts: parts, subject: null })
})

test('pages follow the cursor in the header; the last has no cursor', async () => {
  const anna = await app.signIn()
  await give(anna.user.id, 100)
  for (let symbols = 1; symbols <= 6; symbols++) await charge(anna.user.id, symbols)
  const seen: number[] = []
  let cursor: string | null = ''
  let pages = 0
  while (cursor !== null) {
    const response = await anna.fetch(`/api/transactions?limit=3${cursor && `&cursor=${cursor}`}`)
    seen.push(...symbolsOf((await response.json()) as Transaction[]))
    cursor = response.headers.get(NEXT_CURSOR)
    pages += 1
    if (pages === 1) await charge(anna.user.id, 50)
  }
  expect(pages).toBe(3)
  expect(seen).toEqual([-6, -5, -4, -3, -2, -1, 100])
})

test('the filter takes a kind and whole days that turn at UTC+3', async () => {
  const anna = await app.signIn()
  const id = anna.user.id
  await give(id, 100, new Date(startOfDay('2026-03-01').getTime() - 1))
  await charge(id, 1, startOfDay('2026-03-01'))
  await charge(id, 2, new Date(startOfDay('2026-03-02').getTime() - 1))
  await charge(id, 3, startOfDay('2026-03-02'))
  expect(symbolsOf(await list(anna, { from: '2026-03-01', to: '2026-03-01' }))).toEqual([-2, -1])
  expect(symbolsOf(await list(anna, { from: '2026-03-02' }))).toEqual([-3])
  expect(symbolsOf(await list(anna, { to: '2026-02-28' }))).toEqual([100])
  expect(symbolsOf(await list(anna, { kind: 'gift' }))).toEqual([100])
  for (const query of ['kind=theft', 'from=yesterday', 'limit=0', 'limit=201', 'cursor=abc', 'all=yes']) {
    expect((await anna.fetch(`/api/transactions?${query}`)).status).toBe(400)
  }
})

test('only an admin reads the entries of another user or of all (S1.29)', async () => {
  const anna = await withEntries()
  expect(symbolsOf(await list(owner, { userId: anna.user.id }))).toEqual([-20, -10, 100])
  const everybody = await list(owner, { all: '1', limit: 200 })
  expect(new Set(everybody.map(({ userId }) => userId)).size).toBeGreaterThan(1)
  expect(await list(owner)).toEqual([])
  for (const query of [{ userId: anna.user.id }, { userId: owner.user.id }, { all: '1' }]) {
    await expect(list(anna, query)).rejects.toMatchObject({ status: 403 })
  }
})

test('a charge is disputed once, and shows it from then on (S10.30)', async () => {
  const anna = await withEntries()
  const [charged] = await list(anna)
  const id = String(charged?.id)
  const dispute = () => anna.call(transactionsApi.dispute, { params: { id }, body: { reason: ' Ответ оборвался ' } })
  const tries = await Promise.allSettled(Array.from({ length: 5 }, dispute))
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(dispute()).rejects.toMatchObject({ status: 409, message: 'Вы уже оспорили эту операцию' })
  expect((await list(anna)).map(({ disputed }) => disputed)).toEqual([true, false, false])
  const stored = await app.db
    .select()
    .from(disputes)
    .where(eq(disputes.entryId, Number(id)))
  expect(stored).toMatchObject([{ userId: anna.user.id, status: 'open', reason: 'Ответ оборвался', answer: null }])
  const isRecorded = and(eq(events.userId, anna.user.id), eq(events.event, 'Списание оспорено'))
  expect(await app.db.select().from(events).where(isRecorded)).toHaveLength(1)
  const decided = { status: 'refused', decidedAt: new Date(), decidedBy: owner.user.id } as const
  await app.db
    .update(disputes)
    .set(decided)
    .where(eq(disputes.entryId, Number(id)))
  expect((await list(anna))[0]?.disputed).toBe(true)
})

test('only own charges are disputed, and only with a reason (S10.30)', async () => {
  const anna = await withEntries()
  const [charged, , gift] = await list(anna)
  const dispute = (who: SignedIn, id: string | undefined, reason = 'Не моё') =>
    who.call(transactionsApi.dispute, { params: { id: String(id) }, body: { reason } })
  const boris = await app.signIn()
  for (const id of [charged?.id, '999999999', 'abc', '-1']) {
    await expect(dispute(boris, id)).rejects.toMatchObject({ status: 404, message: 'У вас нет такой операции' })
  }
  await expect(dispute(owner, charged?.id)).rejects.toMatchObject({ status: 404 })
  await expect(dispute(anna, gift?.id)).rejects.toMatchObject({ status: 400 })
  await expect(dispute(anna, charged?.id, '  ')).rejects.toMatchObject({ status: 400, field: 'reason' })
})
