import { type SQLWrapper, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { files, messageFiles } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { testApp } from '#server/testing/app.ts'
import { aBranch, aMessage, aThread } from '#server/testing/builders.ts'
import { branchUp, newestLeaf, selectBranch, toMessages } from './message-rows.ts'

const app = await testApp()
const userId = (await app.signIn()).user.id
const stranger = (await app.signIn()).user.id

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second))

test('a branch is read from its leaf, up to the limit', async () => {
  const thread = await aThread(app.db, userId)
  const ids = await aBranch(app.db, thread, 7)
  const end = ids[6] ?? ''
  expect(idsOf(await branchUp(app.db, userId, end, 100))).toEqual(ids)
  expect(idsOf(await branchUp(app.db, userId, end, 3))).toEqual(ids.slice(4))
  expect(idsOf(await branchUp(app.db, userId, ids[2] ?? '', 100))).toEqual(ids.slice(0, 3))
})

test('a branch has its stored rows with numbers, dates and JSON', async () => {
  const thread = await aThread(app.db, userId)
  const parts = {
    question: 1,
    history: 2,
    historyMessages: 3,
    cutMessages: 0,
    instructions: 4,
    files: 5,
    passages: 6,
    personal: 0,
  }
  const values = { role: 'assistant', content: 'Да', charged: 12, input: 5, output: 7, parts, cost: 0.25 } as const
  const { search: _, ...stored } = await aMessage(app.db, thread, { ...values, createdAt: at(1) })
  expect(await branchUp(app.db, userId, stored.id, 10)).toEqual([stored])
})

test('another user’s branch is empty and has no leaf', async () => {
  const thread = await aThread(app.db, userId)
  const [id = ''] = await aBranch(app.db, thread, 2)
  expect(await branchUp(app.db, stranger, id, 10)).toEqual([])
  await expect(newestLeaf(app.db, stranger, id)).rejects.toMatchObject({ code: 'not_found' })
})

test('the tail of 3,000 messages is read without touching the others', async () => {
  const thread = await aThread(app.db, userId)
  const ids = await aBranch(app.db, thread, 3000)
  await app.db.execute(sql`analyze messages`)
  const long = selectBranch(app.db, { userId, leafId: ids.at(-1) ?? '', limit: 100 })
  expect(idsOf(await long)).toEqual(ids.slice(-100))
  // A hundred steps up and a hundred rows read.
  expect(await messagesTouched(long)).toBe(200)
})

test('the newest leaf follows the newest version at each fork', async () => {
  const thread = await aThread(app.db, userId)
  const make = (parentId: string | null, second: number, id = newId()) =>
    aMessage(app.db, thread, { id, parentId, createdAt: at(second) })
  const root = await make(null, 0)
  const older = await make(root.id, 1)
  const newer = await make(root.id, 2)
  const lateBelowOlder = await make(older.id, 9)
  await make(newer.id, 5, `b-${newId()}`)
  const twin = await make(newer.id, 5, `c-${newId()}`)
  await make(newer.id, 5, `a-${newId()}`)
  expect(await newestLeaf(app.db, userId, root.id)).toBe(twin.id)
  expect(await newestLeaf(app.db, userId, older.id)).toBe(lateBelowOlder.id)
  expect(await newestLeaf(app.db, userId, twin.id)).toBe(twin.id)
})

test('each message lists its versions, oldest first', async () => {
  const thread = await aThread(app.db, userId)
  const other = await aThread(app.db, userId)
  const make = (parentId: string | null, second: number) =>
    aMessage(app.db, thread, { parentId, createdAt: at(second) })
  const late = await make(null, 7)
  const early = await make(null, 3)
  await aMessage(app.db, other, { createdAt: at(1) })
  const answer = await make(early.id, 4)
  const again = await make(early.id, 5)
  const shaped = await toMessages(app.db, [early, again])
  expect(shaped.map(({ siblings }) => siblings)).toEqual([
    [early.id, late.id],
    [answer.id, again.id],
  ])
})

test('a message has its files in order, without their texts', async () => {
  const thread = await aThread(app.db, userId)
  const message = await aMessage(app.db, thread)
  const plain = await aMessage(app.db, thread, { parentId: message.id, role: 'assistant' })
  const made = await app.db
    .insert(files)
    .values(
      ['b.txt', 'a.png'].map((name) => ({
        id: newId(),
        userId,
        kind: name.endsWith('png') ? ('image' as const) : ('document' as const),
        name,
        mime: 'text/plain',
        bytes: 3,
        storageKey: 'k',
        state: 'ready' as const,
        content: 'secret text',
      })),
    )
    .returning()
  await app.db
    .insert(messageFiles)
    .values(made.map(({ id }, index) => ({ messageId: message.id, fileId: id, position: 2 - index })))
  const [shaped, answer] = await toMessages(app.db, [message, plain])
  expect(shaped?.files.map(({ name, kind }) => [name, kind])).toEqual([
    ['a.png', 'image'],
    ['b.txt', 'document'],
  ])
  expect(JSON.stringify(shaped)).not.toContain('secret text')
  expect(answer?.files).toEqual([])
})

test('an empty list of rows needs no query', async () => {
  expect(await toMessages(app.db, [])).toEqual([])
})

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

async function messagesTouched(query: SQLWrapper): Promise<number> {
  const explained = await app.db.execute(sql`explain (analyze, format json) ${query.getSQL()}`)
  const [row] = (explained as unknown as { rows: { 'QUERY PLAN': { Plan: Plan }[] }[] }).rows
  const touched = (plan: Plan): number => {
    const seen = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
    const own = plan['Relation Name'] === 'messages' ? seen * plan['Actual Loops'] : 0
    return (plan.Plans ?? []).reduce((sum, below) => sum + touched(below), own)
  }
  return row?.['QUERY PLAN'].reduce((sum, { Plan }) => sum + touched(Plan), 0) ?? 0
}
