import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { statisticsApi } from '#contract/statistics.ts'
import { threadsApi } from '#contract/threads.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { transcriptionsApi } from '#contract/transcriptions.ts'
import { messages, models, transcriptions } from '#server/db/schema.ts'
import { testApp } from './testing/app.ts'
import { aMessage, aThread } from './testing/builders.ts'

/** During an upgrade a newer build writes what this one does not know. */
const NEWER = 'of-a-newer-release'
const app = await testApp({ startSymbols: 1000 })
const anna = await app.signIn()

test('an operation of unknown kind is listed, as row and as CSV (S10.435)', async () => {
  await app.db.execute(sql`insert into ledger (key, user_id, kind, symbols, balance_after, parts)
    select key || ':2', user_id, ${NEWER}, symbols, balance_after, parts from ledger where user_id = ${anna.user.id}`)
  const [newest, first] = await anna.call(transactionsApi.list, { query: {} })
  expect(newest).toMatchObject({ kind: 'other', symbols: 1000 })
  expect(first).toMatchObject({ kind: 'gift', symbols: 1000 })
  expect(await (await anna.fetch('/api/transactions/csv')).text()).toContain('Операция')
})

test('messages, models and recordings of unknown kinds do not fail lists (S10.435)', async () => {
  const thread = await aThread(app.db, anna.user.id)
  const question = await aMessage(app.db, thread, {})
  const answer = await aMessage(app.db, thread, { parentId: question.id, role: 'assistant', content: 'Ответ' })
  await app.db
    .update(messages)
    .set({ status: NEWER as 'complete' })
    .where(eq(messages.id, answer.id))
  await app.db.execute(sql`update threads set current_leaf_id = ${answer.id} where id = ${thread.id}`)
  const { Messages } = await anna.call(threadsApi.get, { params: { id: thread.id }, query: {} })
  expect(Messages.map(({ status }) => status)).toEqual(['complete', 'complete'])

  const film = { id: 'films', name: 'Кино', provider: 'demo', providerModel: 'films', kind: NEWER as 'text' }
  await app.db.insert(models).values(film)
  const listed = await anna.call(modelsApi.list, {})
  expect(listed.find(({ id }) => id === 'films')?.kind).toBe('embedding')
  expect(listed.length).toBeGreaterThan(1)

  await app.db.insert(transcriptions).values({
    ...{ id: 'r1', userId: anna.user.id, title: 'Речь', fileName: 'a.mp3', storageKey: 'k', bytes: 1, chunkBytes: 1 },
    state: NEWER as 'ready',
  })
  expect((await anna.call(transcriptionsApi.list, { query: {} })).map(({ status }) => status)).toEqual(['working'])
})

test('the statistics of an unknown kind of operation are shown too', async () => {
  const owner = await app.signIn('owner@example.test')
  const { symbols } = await owner.call(statisticsApi.get, { query: {} })
  expect(symbols.map(({ kind }) => kind)).toContain('other')
})
