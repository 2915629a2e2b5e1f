import { eq, type SQLWrapper, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { NEXT_CURSOR } from '#contract/paging.ts'
import { type ThreadRow, threadsApi } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { threads } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { aBranch, aMessage, aThread } from '#server/testing/builders.ts'
import { firstWordsOf } from './first-words.ts'
import { threadsAfter } from './threads.ts'

const app = await testApp()

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
const titlesOf = (rows: ThreadRow[]) => rows.map(({ title }) => title)
const list = (person: SignedIn, view: ThreadView = 'active') => person.call(threadsApi.list, { query: { view } })
type ThreadView = 'active' | 'archived' | 'trash'

/** Three threads per minute, so that many have the same time. */
async function manyThreads(userId: string, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: newId(),
    userId,
    title: `Беседа ${index}`,
    pinned: index % 20 === 0,
    updatedAt: at(Math.floor(index / 3)),
  }))
  await app.db.insert(threads).values(rows)
  return rows.map(({ id }) => id)
}

async function readPage(person: SignedIn, address: string): Promise<{ rows: ThreadRow[]; next: string | null }> {
  const response = await person.fetch(address)
  expect(response.status).toBe(200)
  return { rows: (await response.json()) as ThreadRow[], next: response.headers.get(NEXT_CURSOR) }
}

async function readAll(
  person: SignedIn,
  view: ThreadView,
  between: (seen: string[]) => Promise<void> = async () => {},
) {
  const seen: ThreadRow[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { rows, next } = await readPage(person, `/api/threads?view=${view}${cursor && `&cursor=${cursor}`}`)
    expect(rows.length).toBeLessThanOrEqual(50)
    seen.push(...rows)
    cursor = next
    await between(seen.map(({ id }) => id))
  }
  return seen
}

test('pinned threads come first, then the last written, only own threads', async () => {
  const [anna, boris] = [await app.signIn(), await app.signIn()]
  for (const [title, pinned, minute] of [
    ['старая', false, 1],
    ['новая', false, 3],
    ['старая закреплённая', true, 0],
    ['новая закреплённая', true, 2],
  ] as const) {
    await aThread(app.db, anna.user.id, { title, pinned, updatedAt: at(minute) })
  }
  expect(titlesOf(await list(anna))).toEqual(['новая закреплённая', 'старая закреплённая', 'новая', 'старая'])
  expect(await list(boris)).toEqual([])
})

test('each view shows its own threads in its own order', async () => {
  const anna = await app.signIn()
  const make = (title: string, values: Partial<typeof threads.$inferInsert>) =>
    aThread(app.db, anna.user.id, { title, ...values })
  await make('открытая', {})
  await make('в архиве давно', { archived: true, updatedAt: at(1), pinned: true })
  await make('в архиве недавно', { archived: true, updatedAt: at(2) })
  await make('удалена раньше', { deletedAt: at(3), updatedAt: at(9) })
  await make('удалена позже, из архива', { deletedAt: at(4), archived: true, updatedAt: at(1) })
  expect(titlesOf(await list(anna, 'active'))).toEqual(['открытая'])
  expect(titlesOf(await list(anna, 'archived'))).toEqual(['в архиве недавно', 'в архиве давно'])
  expect(titlesOf(await list(anna, 'trash'))).toEqual(['удалена позже, из архива', 'удалена раньше'])
})

test('a row has the contract’s fields, with its model’s name', async () => {
  const anna = await app.signIn()
  const { Model } = await anna.call(threadsApi.create, { body: { title: 'Про ежей' } })
  const [row] = await list(anna)
  expect(row).toMatchObject({ title: 'Про ежей', User: { id: anna.user.id }, Model, version: 0, shareId: null })
  expect(Model).toEqual({ id: expect.any(String), name: expect.any(String) })
})

test('120 threads are paged without repeats or gaps while threads change', async () => {
  const anna = await app.signIn()
  const ids = await manyThreads(anna.user.id, 120)
  const seen = await readAll(anna, 'active', async (soFar) => {
    await aThread(app.db, anna.user.id, { title: 'ещё одна' })
    for (const id of [soFar[0], soFar.at(-1)]) {
      await app.db
        .update(threads)
        .set({ updatedAt: new Date() })
        .where(eq(threads.id, id ?? ''))
    }
  })
  expect(seen.map(({ id }) => id).sort()).toEqual([...ids].sort())
  const pinned = seen.map((row) => row.pinned)
  expect(pinned.lastIndexOf(true)).toBeLessThan(pinned.indexOf(false))
})

test('a changed thread moves to the first page without shifting others', async () => {
  const anna = await app.signIn()
  const ids = await manyThreads(anna.user.id, 120)
  const touched = ids[1] ?? ''
  const seen = await readAll(anna, 'active', async () => {
    await app.db.update(threads).set({ updatedAt: new Date() }).where(eq(threads.id, touched))
  })
  expect(seen.map(({ id }) => id).sort()).toEqual(ids.filter((id) => id !== touched).sort())
  expect((await list(anna)).find(({ pinned }) => !pinned)?.id).toBe(touched)
})

test('archive and trash are paged the same way', async () => {
  const anna = await app.signIn()
  const ids = await manyThreads(anna.user.id, 110)
  const own = eq(threads.userId, anna.user.id)
  await app.db.update(threads).set({ archived: true }).where(own)
  expect((await readAll(anna, 'archived')).map(({ id }) => id).sort()).toEqual([...ids].sort())
  await app.db.update(threads).set({ deletedAt: threads.updatedAt }).where(own)
  expect((await readAll(anna, 'trash')).map(({ id }) => id).sort()).toEqual([...ids].sort())
})

test('a query lists what the search finds, a blank query lists everything', async () => {
  const anna = await app.signIn()
  for (const title of ['Рецепт борща', 'Отпуск']) await aThread(app.db, anna.user.id, { title })
  const find = (query: string) => anna.call(threadsApi.list, { query: { query } })
  expect(titlesOf(await find('борщ'))).toEqual(['Рецепт борща'])
  expect(await find('  ')).toHaveLength(2)
})

test('the page size can be chosen; the last page has no cursor', async () => {
  const anna = await app.signIn()
  await manyThreads(anna.user.id, 5)
  const first = await readPage(anna, '/api/threads?limit=3')
  expect(first.rows).toHaveLength(3)
  const second = await readPage(anna, `/api/threads?limit=3&cursor=${first.next}`)
  expect(second).toMatchObject({ rows: [{}, {}], next: null })
  expect(await readPage(anna, '/api/threads?limit=5')).toMatchObject({ next: null })
  expect((await anna.fetch('/api/threads?limit=201')).status).toBe(400)
})

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

test.each(['no-such', '%00', base64([true, 1]), base64([true, 1e18, 'x']), base64([false, 1, 'a\0b']), base64('x')])(
  'the cursor %s answers 400 and names the field',
  async (cursor) => {
    const response = await (await app.signIn()).fetch(`/api/threads?cursor=${cursor}`)
    expect(response.status).toBe(400)
    if (cursor !== '%00') expect(await response.json()).toMatchObject({ field: 'cursor' })
  },
)

test('chats with equal names come with the first words of their question (S10.214)', async () => {
  const anna = await app.signIn()
  for (const [title, question] of [
    ['Залог', `Сколько составляет залог\n\nпо договору аренды? ${'я'.repeat(500)}`],
    ['Залог', 'Можно ли вернуть залог?'],
    ['Отпуск', 'Куда поехать?'],
  ] as const) {
    const thread = await aThread(app.db, anna.user.id, { title })
    const first = await aMessage(app.db, thread, { content: question })
    await aMessage(app.db, thread, { content: 'Ответ', role: 'assistant', parentId: first.id })
  }
  const words = async (query: { query?: string }) =>
    (await anna.call(threadsApi.list, { query })).map(({ firstWords }) => firstWords?.slice(0, 40)).sort()
  const both = ['Можно ли вернуть залог?', 'Сколько составляет залог по договору аре']
  expect(await words({})).toEqual([...both, undefined])
  expect(await words({ query: 'залог' })).toEqual(both)
})

test('the first words are read along the index of first messages (S10.214)', async () => {
  // With only a few messages the planner may choose any index.
  const { user } = await app.signIn()
  const thread = await aThread(app.db, user.id)
  await aBranch(app.db, thread, 500)
  await app.db.execute(sql`analyze messages`)
  expect(await explain((db) => firstWordsOf(db, [thread.id, 'two']))).toMatch(/messages_first/)
})

test('each view is read along its own index, without sorting', async () => {
  for (const view of ['active', 'archived', 'trash'] as const) {
    for (const cursor of [undefined, base64([false, at(50).getTime(), 'some-thread'])]) {
      const plan = await explain((db) => threadsAfter(db, 'another-user', { view, limit: 50, cursor }))
      expect(plan).toMatch(new RegExp(`Index Scan using threads_${view}`))
      expect(plan).not.toMatch(/Sort|Seq Scan on threads|messages/)
    }
  }
})

/** Sequential scans are switched off: in a table this small the planner would always choose one. */
function explain(query: (db: Db) => SQLWrapper): Promise<string> {
  return app.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`)
    await tx.execute(sql`set local enable_sort = off`)
    const { rows } = (await tx.execute(sql`explain ${query(tx).getSQL()}`)) as unknown as { rows: object[] }
    return rows.map((row) => Object.values(row).join()).join('\n')
  })
}
