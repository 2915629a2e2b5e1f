import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { FREE_STOPS } from '#contract/billing.ts'
import { threadsApi } from '#contract/threads.ts'
import { balances, ledger, messages, settings } from '#server/db/schema.ts'
import { chunk, DONE, hangs, refuses, says, saysSlowly, streams } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { endInstance, registerInstance } from '#server/testing/instance.ts'
import { reconcile } from '../billing/invariants.ts'
import { settleStop } from '../billing/ledger.ts'
import { createAnswerRecovery } from './recover.ts'
import { requestStop } from './rows.ts'
import { startChat, type Talker } from './testing/chat.ts'

const QUESTION = 'я'.repeat(1000)
const START = 50_000

const chat = await closeAfterTests(startChat({ startSymbols: START }))
beforeEach(() => chat.provider.play(hangs()))
afterAll(async () => expect(await reconcile(chat.app.db)).toEqual([]))

const totalOf = async ({ user }: Talker) => {
  const [row] = await chat.app.db.select().from(balances).where(eq(balances.userId, user.id))
  return row
}
const rowOf = async (id: string) => (await chat.app.db.select().from(messages).where(eq(messages.id, id)))[0]
const entriesOf = (id: string) => chat.app.db.select().from(ledger).where(eq(ledger.messageId, id))

/** A thread with a title, so that no request for a title uses up a script. */
async function named(anna: Talker) {
  const id = await anna.newThread()
  await anna.call(threadsApi.update, { params: { id }, body: { title: 'Проба' } })
  return id
}

/** Asks, waits until the provider has the question, and returns the id of the answer. */
async function askInNew(anna: Talker, thread?: string) {
  const before = chat.provider.received.length
  const threadId = thread ?? (await named(anna))
  const reading = await anna.send(threadId, { content: QUESTION, parentId: null })
  await reading.until(() => reading.started() !== undefined)
  await expect.poll(() => chat.provider.received.length).toBeGreaterThan(before)
  return { threadId, id: reading.started()?.assistant.id ?? '', reading }
}

async function askAndStop(anna: Talker) {
  const { threadId, id } = await askInNew(anna)
  return anna.stop(threadId, id)
}

async function useUpFreeStops(anna: Talker) {
  for (let n = 1; n <= FREE_STOPS; n += 1) await askAndStop(anna)
}

test('a question stopped before the first word costs input after three stops (S10.113)', async () => {
  const anna = await chat.person()
  for (let n = 1; n <= FREE_STOPS; n += 1)
    expect(await askAndStop(anna)).toMatchObject({ status: 'stopped', charged: 0, earlyStop: { charged: 0, free: n } })
  expect((await totalOf(anna))?.total).toBe(START)
  for (let n = 1; n <= 4; n += 1) {
    const stopped = await askAndStop(anna)
    expect(stopped).toMatchObject({ status: 'stopped', charged: 1000, input: 1000, output: 0 })
    expect(stopped.earlyStop).toEqual({ charged: 1000, free: null })
    expect(await entriesOf(stopped.id)).toMatchObject([
      { symbols: -1000, note: 'Вопрос отправлен модели, ответ остановлен до первого слова' },
    ])
  }
  expect(await totalOf(anna)).toMatchObject({ total: START - 4000, held: 0 })
})

test('exactly three of many simultaneous stops are free (S10.20)', async () => {
  const anna = await chat.person()
  const stopped = []
  // At most three may run at once, so they are started and stopped three at a time.
  for (let n = 0; n < 3; n += 1) {
    const running = await Promise.all([askInNew(anna), askInNew(anna), askInNew(anna)])
    stopped.push(...(await Promise.all(running.map(({ threadId, id }) => anna.stop(threadId, id)))))
  }
  expect(stopped.filter(({ charged }) => charged === 0)).toHaveLength(FREE_STOPS)
  expect(stopped.filter(({ charged }) => charged === 1000)).toHaveLength(6)
  expect(await totalOf(anna)).toMatchObject({ total: START - 6000, held: 0 })
})

test('the free stops of a day are counted anew the next day', async () => {
  const anna = await chat.person()
  await useUpFreeStops(anna)
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  await chat.app.db.update(balances).set({ freeStopsDay: yesterday }).where(eq(balances.userId, anna.user.id))
  expect(await askAndStop(anna)).toMatchObject({ charged: 0, earlyStop: { free: 1 } })
})

test('a repeated stop is counted and charged once', async () => {
  const anna = await chat.person()
  await useUpFreeStops(anna)
  const { threadId, id } = await askInNew(anna)
  await Promise.all([anna.stop(threadId, id), anna.stop(threadId, id), anna.stop(threadId, id)])
  expect(await entriesOf(id)).toHaveLength(1)
  const { hold = '' } = { hold: (await entriesOf(id))[0]?.key.slice('hold:'.length) ?? '' }
  expect(await settleStop(chat.app.db, hold, 1000, {})).toEqual({ charged: null, freeStop: null })
  expect(await totalOf(anna)).toMatchObject({ total: START - 1000, freeStops: FREE_STOPS })
})

test('a request refused by the provider is free and uses no stop', async () => {
  chat.provider.play(refuses(400))
  const anna = await chat.person()
  const thread = await named(anna)
  expect(await (await anna.send(thread, { content: QUESTION })).end()).toMatchObject({ code: 'model_failed' })
  expect(await totalOf(anna)).toMatchObject({ total: START, held: 0, freeStops: 0 })
})

test('a stop during a retry is free and uses no free stop', async () => {
  chat.provider.play(refuses(503, {}, { 'retry-after': '5' }))
  const anna = await chat.person()
  await useFreeStop(anna)
  const { threadId, id } = await askInNew(anna)
  await new Promise((done) => setTimeout(done, 300))
  expect(await anna.stop(threadId, id)).toMatchObject({ status: 'stopped', charged: 0, earlyStop: null })
  expect(await totalOf(anna)).toMatchObject({ total: START, freeStops: 1 })
})

async function useFreeStop(anna: Talker) {
  chat.provider.play(hangs())
  await askAndStop(anna)
  chat.provider.play(refuses(503, {}, { 'retry-after': '5' }))
}

test('a stop that races the first word pays for what was shown', async () => {
  const anna = await chat.person()
  await useUpFreeStops(anna)
  chat.provider.play(saysSlowly(10, 'раз ', 'два ', 'три ', 'четыре ', 'пять '))
  let expected = START
  for (const wait of [0, 5, 15, 30, 60]) {
    const { threadId, id, reading } = await askInNew(anna)
    await new Promise((done) => setTimeout(done, wait))
    const [stopped] = await Promise.all([anna.stop(threadId, id), anna.stop(threadId, id)])
    expect(stopped.charged).toBe(1000 + stopped.content.length)
    expect((await reading.message()).content).toBe(stopped.content)
    expected -= stopped.charged
  }
  expect(await totalOf(anna)).toMatchObject({ total: expected, held: 0 })
})

test('a continued answer stopped early pays for the question, keeps its text', async () => {
  const anna = await chat.person()
  await useUpFreeStops(anna)
  chat.provider.play(says('Привет'))
  const thread = await named(anna)
  const first = await (await anna.send(thread, { content: QUESTION })).message()
  chat.provider.play(hangs())
  const before = chat.provider.received.length
  const going = await anna.continue(thread, first.id)
  await going.until(() => going.started() !== undefined)
  await expect.poll(() => chat.provider.received.length).toBeGreaterThan(before)
  const stopped = await anna.stop(thread, first.id)
  expect(stopped).toMatchObject({ content: 'Привет', status: 'stopped' })
  expect(stopped.charged).toBe(first.charged + (stopped.earlyStop?.charged ?? 0))
  expect(stopped.earlyStop?.charged).toBeGreaterThanOrEqual(1000)
})

test('an answer whose process died after the stop is charged as stopped', async () => {
  const anna = await chat.person()
  await useUpFreeStops(anna)
  const { db } = chat.app
  const recover = createAnswerRecovery({ db, publish: chat.app.hub.publish, log: chat.app.log })
  const { id: instance } = await registerInstance(db)
  const { threadId, id } = await askInNew(anna)
  await db.update(messages).set({ instance }).where(eq(messages.id, id))
  await requestStop(db, id)
  await endInstance(db, instance)
  await Promise.all([recover(), recover()])
  expect(await rowOf(id)).toMatchObject({ status: 'stopped', charged: 1000, earlyStop: { charged: 1000, free: null } })
  expect(await entriesOf(id)).toHaveLength(1)
  await anna.stop(threadId, id)
})

test('an answer whose process died before the stop is free', async () => {
  const anna = await chat.person()
  const { db } = chat.app
  const recover = createAnswerRecovery({ db, publish: chat.app.hub.publish, log: chat.app.log })
  const { threadId, id } = await askInNew(anna)
  await db.update(messages).set({ instance: 'dead' }).where(eq(messages.id, id))
  await requestStop(db, id)
  await recover()
  expect(await rowOf(id)).toMatchObject({ status: 'interrupted', charged: 0, earlyStop: null })
  expect(await totalOf(anna)).toMatchObject({ total: START, freeStops: 0 })
  await anna.stop(threadId, id)
})

test('a try-out left before its first word counts as an early stop', async () => {
  const anna = await chat.person()
  const body = { assistantId: null, instructions: '', modelId: null, messages: [{ role: 'user', content: QUESTION }] }
  const usual = { threadModel: 'fast' }
  await chat.app.db.update(settings).set(usual).where(eq(settings.userId, anna.user.id))
  for (let n = 1; n <= FREE_STOPS + 1; n += 1) {
    const before = chat.provider.received.length
    const response = await anna.stream('/api/assistants/try', body)
    await expect.poll(() => chat.provider.received.length).toBeGreaterThan(before)
    await response.body?.cancel()
    await expect.poll(async () => (await totalOf(anna))?.held).toBe(0)
  }
  expect(await totalOf(anna)).toMatchObject({ freeStops: FREE_STOPS })
  expect((await totalOf(anna))?.total).toBeLessThanOrEqual(START - 1000)
})

test('text before a content filter is charged; an empty answer is free', async () => {
  const anna = await chat.person()
  const thread = await named(anna)
  const promptMessage = 'Начало. '.repeat(50)
  chat.provider.play(streams(chunk(promptMessage), chunk(null, 'content_filter'), DONE))
  expect(await (await anna.send(thread, { content: QUESTION })).end()).toMatchObject({ code: 'model_failed' })
  const cut = (await anna.read(thread)).Messages.at(-1)
  expect(cut).toMatchObject({ status: 'failed', content: promptMessage, charged: 1000 + promptMessage.length })
  chat.provider.play(streams(chunk(null, 'content_filter'), DONE))
  await (await anna.send(thread, { content: 'Ещё', parentId: null })).end()
  expect((await anna.read(thread)).Messages.at(-1)).toMatchObject({ status: 'failed', content: '', charged: 0 })
  expect(await totalOf(anna)).toMatchObject({ total: START - 1000 - promptMessage.length, held: 0 })
})
