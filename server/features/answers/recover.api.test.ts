import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import { type AnswerRun, balances, ledger, messageChunks, messages, thoughtChunks } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { refuses, says, saysSlowly } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { endInstance, registerInstance } from '#server/testing/instance.ts'
import { reconcile } from '../billing/invariants.ts'
import { sweepHolds } from '../billing/sweeper.ts'
import { continueAnswer, sendMessage } from './ask.ts'
import type { Engine } from './engine.ts'
import { outcomeOf } from './finish.ts'
import { createAnswerRecovery } from './recover.ts'
import { endRun, type RunEnd, storeChunks } from './rows.ts'
import { startChat, type Talker } from './testing/chat.ts'

const chat = await closeAfterTests(startChat())
beforeAll(() => chat.addModel({ id: 'thinking', thinks: true, thoughtRate: 2 }))
beforeEach(() => chat.provider.play(says('Привет, мир')))
afterAll(async () => expect(await reconcile(chat.app.db)).toEqual([]))

const app = () => ({ db: chat.app.db, publish: chat.app.hub.publish, log: chat.app.log })
const recover = () => createAnswerRecovery(app())()
const rowOf = async (id: string) => (await chat.app.db.select().from(messages).where(eq(messages.id, id)))[0]
const store = (id: string, at: number, text: string) =>
  chat.app.db.insert(messageChunks).values({ messageId: id, at, upto: at + text.length, text })
const ctxOf = ({ user }: Talker): Ctx => ({
  db: chat.app.db,
  publish: chat.app.hub.publish,
  user,
  session: { id: '', user, impersonatedBy: null },
  ip: '',
})

const threadOf = async (id: string) => (await rowOf(id))?.threadId ?? ''

/** An engine of another process that never writes any text. */
const idleEngine = (instance: string): Engine => ({
  reserve: () => () => {},
  run: () => ({}) as ReturnType<Engine['run']>,
  find: () => undefined,
  stopAllOf: () => {},
  instance: () => instance,
  size: () => 0,
  close: async () => {},
})

/** An answer whose process died after `content` was stored. */
async function staleAnswer(anna: Talker, threadId: string, content: string, instance = 'dead'): Promise<string> {
  const engine = idleEngine(instance)
  const deps = { ...chat.app.answers, engine }
  const { messageId } = await sendMessage(ctxOf(anna), deps, threadId, { content: 'Скажи' })
  if (content !== '') await store(messageId, 0, content)
  return messageId
}

test('a crashed process’s answer keeps its stored text and is charged (S10.13, S10.15)', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const id = await staleAnswer(anna, thread, 'Прив')
  expect(await recover()).toBe(1)
  expect(await rowOf(id)).toMatchObject({ status: 'interrupted', content: 'Прив', charged: 9, run: null })
  const entries = await chat.app.db.select().from(ledger).where(eq(ledger.messageId, id))
  expect(entries).toMatchObject([{ symbols: -9, input: 5, output: 4, modelId: 'fast' }])
  expect(await chat.app.db.$count(messageChunks, eq(messageChunks.messageId, id))).toBe(0)
  expect(await recover()).toBe(0)
})

test('an answer without stored text is free', async () => {
  const anna = await chat.person()
  const id = await staleAnswer(anna, await anna.newThread(), '')
  await recover()
  expect(await rowOf(id)).toMatchObject({ status: 'interrupted', charged: 0 })
  const [balance] = await chat.app.db.select().from(balances).where(eq(balances.userId, anna.user.id))
  expect(balance).toMatchObject({ total: 20_000, held: 0 })
})

test('an interrupted answer can be continued (S10.114)', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const id = await staleAnswer(anna, thread, 'Прив')
  await recover()
  chat.provider.play(says('ет, мир'))
  expect(await (await anna.continue(thread, id)).message()).toMatchObject({
    id,
    content: 'Привет, мир',
    status: 'complete',
    charged: 9 + 9 + 7,
  })
})

test('a reader of a crashed answer learns of the interruption at once', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const id = await staleAnswer(anna, thread, 'Прив')
  expect(await (await anna.attach(thread, id)).message()).toMatchObject({ status: 'interrupted', charged: 9 })
})

test('stopping an answer of a crashed process ends it', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const id = await staleAnswer(anna, thread, 'Прив')
  expect(await anna.stop(thread, id)).toMatchObject({ status: 'interrupted', charged: 9 })
})

test('parallel recoveries charge nothing twice', async () => {
  const anna = await chat.person()
  const id = await staleAnswer(anna, await anna.newThread(), 'Прив')
  const sweep = { db: chat.app.db, onChanged: () => {}, onError: (error: unknown) => expect(error).toBeNull() }
  await Promise.all([recover(), sweepHolds(sweep), recover(), recover()])
  expect(await rowOf(id)).toMatchObject({ status: 'interrupted', charged: 9 })
  expect(await chat.app.db.$count(ledger, eq(ledger.messageId, id))).toBe(1)
})

test('an answer is not recovered while its process lives', async () => {
  const anna = await chat.person()
  const { id: instance } = await registerInstance(chat.app.db)
  const id = await staleAnswer(anna, await anna.newThread(), 'Прив', instance)
  expect(await recover()).toBe(0)
  await endInstance(chat.app.db, instance)
  expect(await recover()).toBe(1)
  expect(await rowOf(id)).toMatchObject({ status: 'interrupted', content: 'Прив' })
})

test('recovered text never costs more than was held', async () => {
  const anna = await chat.person()
  const id = await staleAnswer(anna, await anna.newThread(), 'Прив')
  const run = (await rowOf(id))?.run
  await chat.app.db
    .update(messages)
    .set({ run: { ...run, outputRate: 1000 } as AnswerRun })
    .where(eq(messages.id, id))
  expect(await recover()).toBe(1)
  expect(await rowOf(id)).toMatchObject({ status: 'interrupted', content: 'Прив', charged: 1005 })
})

test('an unrecoverable answer stops no others and is finally free', async () => {
  const anna = await chat.person()
  const bad = await staleAnswer(anna, await anna.newThread(), 'Прив')
  const good = await staleAnswer(anna, await anna.newThread(), 'Прив')
  await chat.app.db
    .update(messages)
    .set({ run: sql`${messages.run} || '{"input": 1e300}'` })
    .where(eq(messages.id, bad))
  const again = createAnswerRecovery(app())
  expect(await again()).toBe(1)
  expect(await rowOf(good)).toMatchObject({ status: 'interrupted', charged: 9 })
  expect(await rowOf(bad)).toMatchObject({ status: 'streaming' })
  for (let time = 0; time < 3; time += 1) await again()
  expect(await rowOf(bad)).toMatchObject({ status: 'interrupted', content: 'Прив', charged: 0 })
})

test('recovery charges by the rates of the fallback', async () => {
  await chat.addModel({ id: 'cheap', inputRate: 1, outputRate: 1 })
  await chat.addModel({ id: 'dear', inputRate: 10, outputRate: 10, fallbackId: 'cheap' })
  chat.provider.play(refuses(500), refuses(500), saysSlowly(100, ...Array.from({ length: 60 }, () => 'слово ')))
  const anna = await chat.person()
  const thread = await anna.newThread('dear')
  const reading = await anna.send(thread, { content: 'Скажи' })
  await reading.until(() => reading.offset() > 6)
  const id = reading.started()?.assistant.id ?? ''
  expect(await rowOf(id)).toMatchObject({ modelId: 'cheap', run: { inputRate: 1, outputRate: 1 } })
  await anna.stop(thread, id)
})

test('a process taken for crashed cannot add text to a continued answer', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const id = await staleAnswer(anna, thread, 'Прив')
  const { hold = '' } = (await rowOf(id))?.run ?? {}
  const late = { id, hold, at: 4, upto: 8, text: 'мёрт' }
  expect(await storeChunks(chat.app.db, [late])).toEqual(new Set([id]))
  await recover()
  expect(await storeChunks(chat.app.db, [{ ...late, at: 8, upto: 12 }])).toEqual(new Set())
  await continueAnswer(ctxOf(anna), { ...chat.app.answers, engine: idleEngine('dead') }, thread, id)
  expect(await storeChunks(chat.app.db, [{ ...late, at: 8, upto: 12 }])).toEqual(new Set())
  await recover()
  expect(await rowOf(id)).toMatchObject({ content: 'Привмёрт', status: 'interrupted' })
})

test('an answer ended twice after a lost acknowledgement is charged once', async () => {
  const anna = await chat.person()
  const id = await staleAnswer(anna, await anna.newThread(), '')
  const run = (await rowOf(id))?.run as AnswerRun
  const end: RunEnd = {
    ...{ id, run, content: 'Привет', status: 'complete', modelId: 'fast', errorCode: null, errorMessage: null },
    ...{ firstTokenMs: 1, totalMs: 2, output: 6, cost: {}, isEarlyStop: false },
    settle: { type: 'charge' as const, key: run.hold, symbols: 11, details: { messageId: id } },
  }
  expect(await endRun(chat.app.db, end)).toMatchObject({ content: 'Привет', runCharged: 11 })
  expect(await endRun(chat.app.db, end)).toBeNull()
  expect(await outcomeOf(chat.app.db, id, run.hold)).toMatchObject({ type: 'done', charged: 11 })
  expect(await chat.app.db.$count(ledger, eq(ledger.messageId, id))).toBe(1)
})

test('repeated or longer chunks leave neither gaps nor repeats', async () => {
  const anna = await chat.person()
  const id = await staleAnswer(anna, await anna.newThread(), '')
  const { hold = '' } = (await rowOf(id))?.run ?? {}
  const promptMessage = 'раз два три'
  const chunkOf = (at: number, upto: number) => ({ id, hold, at, upto, text: promptMessage.slice(at, upto) })
  for (const chunk of [chunkOf(0, 4), chunkOf(0, 4), chunkOf(0, 8), chunkOf(8, 11)])
    await storeChunks(chat.app.db, [chunk])
  expect((await anna.read(await threadOf(id))).Messages.at(-1)).toMatchObject({
    content: promptMessage,
    status: 'streaming',
  })
  await recover()
  expect(await rowOf(id)).toMatchObject({ content: promptMessage, charged: 5 + promptMessage.length })
})

describe('an answer of a crashed process that was thinking', () => {
  const thoughtOf = (messageId: string, text: string) =>
    chat.app.db.insert(thoughtChunks).values({ messageId, at: 0, upto: text.length, text })

  test('keeps the thought and is free without a word of the answer', async () => {
    const anna = await chat.person()
    const id = await staleAnswer(anna, await anna.newThread('thinking'), '')
    await thoughtOf(id, 'Надо подумать')
    expect((await anna.read(await threadOf(id))).Messages.at(-1)?.thought).toMatchObject({ text: 'Надо подумать' })
    await recover()
    expect(await rowOf(id)).toMatchObject({ status: 'interrupted', thought: 'Надо подумать', charged: 0 })
    expect(await chat.app.db.$count(thoughtChunks, eq(thoughtChunks.messageId, id))).toBe(0)
  })

  test('pays for the thought with the text, or alone when stopped', async () => {
    const anna = await chat.person()
    const id = await staleAnswer(anna, await anna.newThread('thinking'), 'Да')
    await thoughtOf(id, 'Надо подумать')
    await recover()
    expect(await rowOf(id)).toMatchObject({ thoughtSymbols: 13, charged: 5 + 2 + 13 * 2 })
    const stopped = await staleAnswer(anna, await anna.newThread('thinking'), '')
    await thoughtOf(stopped, 'Надо подумать')
    await chat.app.db.update(messages).set({ stopRequested: true }).where(eq(messages.id, stopped))
    await recover()
    expect(await rowOf(stopped)).toMatchObject({ status: 'stopped', charged: 5 + 13 * 2, earlyStop: null })
  })
})

const onPostgres = test.skipIf(!('url' in inject('snapshot')))

onPostgres(
  'kill -9 during a thought loses at most two seconds, for free',
  async () => {
    const anna = await chat.person()
    const thread = await anna.newThread('thinking')
    const { id, longBefore } = await killWriting(anna, thread, 'thought')
    await recover()
    const row = await rowOf(id)
    expect(longBefore).toBeGreaterThan(0)
    expect(row?.thought.length).toBeGreaterThanOrEqual(longBefore)
    expect(row).toMatchObject({ status: 'interrupted', content: '', charged: 0 })
  },
  90_000,
)

onPostgres(
  'kill -9 during an answer loses two seconds at most, never charged (S10.114)',
  async () => {
    const anna = await chat.person()
    const { id, longBefore } = await killWriting(anna, await anna.newThread(), 'text')
    await recover()
    const row = await rowOf(id)
    expect(longBefore).toBeGreaterThan(0)
    expect(row?.content.length).toBeGreaterThanOrEqual(longBefore)
    expect(row).toMatchObject({ status: 'interrupted', charged: 5 + (row?.content.length ?? 0) })
  },
  90_000,
)

/** Kills a process that writes an answer; returns how much of it had been shown two seconds earlier. */
async function killWriting(anna: Talker, thread: string, as: 'text' | 'thought') {
  const script = 'server/features/answers/testing/write-and-hang.ts'
  const child = spawn(process.execPath, ['--import', 'tsx', script, String(chat.app.url), anna.user.id, thread, as])
  onTestFinished(() => void child.kill('SIGKILL'))
  const events: { at: number; offset: number; id: string }[] = []
  child.stdout.on('data', (data: Buffer) => {
    for (const line of data.toString().trim().split('\n')) {
      const [id = '', offset] = line.split(' ')
      events.push({ at: performance.now(), offset: Number(offset), id })
    }
  })
  const longBefore = (time: number) => events.filter(({ at }) => at < time - 2000).at(-1)?.offset ?? 0
  // On a busy machine many events come at once: some of them must have been there for two seconds.
  const isEnough = () => events.length > 80 && longBefore(performance.now()) > 0
  await expect.poll(isEnough, { timeout: 60_000 }).toBe(true)
  const killedAt = performance.now()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const id = events[0]?.id ?? ''
  await endInstance(chat.app.db, (await rowOf(id))?.instance ?? '')
  return { id, longBefore: longBefore(killedAt) }
}
