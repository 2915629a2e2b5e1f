import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { balances, holds, ledger, messages } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { says } from '#server/llm/testing/fake-openai.ts'
import { reconcile } from '../billing/invariants.ts'
import { sweepHolds } from '../billing/sweeper.ts'
import { sendMessage } from './ask.ts'
import type { Engine } from './engine.ts'
import { recoverAnswers, recoverHold } from './recover.ts'
import { type Chat, startChat, type Talker } from './testing/chat.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat()
})
beforeEach(() => chat.provider.play(says('Привет, мир')))
afterAll(async () => {
  expect(await reconcile(chat.world.db)).toEqual([])
  await chat.close()
})

const world = () => ({ db: chat.world.db, publish: chat.world.hub.publish })
const rowOf = async (id: string) => (await chat.world.db.select().from(messages).where(eq(messages.id, id)))[0]

/** An answer whose writer died after so much of it was stored. */
async function deadAnswer(anna: Talker, threadId: string, content: string): Promise<string> {
  const engine: Engine = {
    begin: () => ({}) as ReturnType<Engine['begin']>,
    find: () => undefined,
    isOpen: () => true,
    close: async () => {},
  }
  const user = { ...anna.user }
  const ctx: Ctx = { ...world(), user, session: { id: '', user, impersonatedBy: null }, ip: '' }
  const id = await sendMessage(ctx, { ...chat.world.answers, engine }, threadId, { content: 'Скажи' })
  await chat.world.db
    .update(messages)
    .set({ content, heartbeatAt: sql`now() - interval '1 minute'` })
    .where(eq(messages.id, id))
  return id
}

test('an answer whose writer died is kept as far as it was stored, and charged for just that', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const id = await deadAnswer(anna, thread, 'Прив')
  expect(await recoverAnswers(world())).toBe(1)
  expect(await rowOf(id)).toMatchObject({ status: 'interrupted', content: 'Прив', charged: 9, run: null })
  const entries = await chat.world.db.select().from(ledger).where(eq(ledger.messageId, id))
  expect(entries).toMatchObject([{ symbols: -9, input: 5, output: 4, modelId: 'fast' }])
  expect(await recoverAnswers(world())).toBe(0)
})

test('nothing stored, nothing charged', async () => {
  const anna = await chat.person()
  const id = await deadAnswer(anna, await anna.newThread(), '')
  await recoverAnswers(world())
  expect(await rowOf(id)).toMatchObject({ status: 'interrupted', charged: 0 })
  const [balance] = await chat.world.db.select().from(balances).where(eq(balances.userId, anna.user.id))
  expect(balance).toMatchObject({ total: 20_000, held: 0 })
})

test('it can be continued', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const id = await deadAnswer(anna, thread, 'Прив')
  await recoverAnswers(world())
  chat.provider.play(says('ет, мир'))
  expect(await (await anna.continue(thread, id)).message()).toMatchObject({
    id,
    content: 'Привет, мир',
    status: 'complete',
    charged: 9 + 9 + 7,
  })
})

test('whoever attaches to a dead answer learns at once that it was interrupted', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const id = await deadAnswer(anna, thread, 'Прив')
  expect(await (await anna.attach(thread, id)).message()).toMatchObject({ status: 'interrupted', charged: 9 })
})

test('stopping a dead answer ends it', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const id = await deadAnswer(anna, thread, 'Прив')
  expect(await anna.stop(thread, id)).toMatchObject({ status: 'interrupted', charged: 9 })
})

test('a hold that ran out takes its answer with it, and nothing is charged twice', async () => {
  const anna = await chat.person()
  const id = await deadAnswer(anna, await anna.newThread(), 'Прив')
  const hold = (await rowOf(id))?.run?.hold ?? ''
  await chat.world.db
    .update(holds)
    .set({ leaseUntil: new Date(0) })
    .where(eq(holds.key, hold))
  const deliveredUnder = async ({ key }: { key: string }) => {
    await recoverHold(world(), key)
    return null
  }
  await Promise.all([sweepHolds(chat.world.db, deliveredUnder), recoverAnswers(world())])
  expect(await rowOf(id)).toMatchObject({ status: 'interrupted', charged: 9 })
  expect(await chat.world.db.$count(ledger, eq(ledger.messageId, id))).toBe(1)
})

test('a living answer is left alone', async () => {
  const anna = await chat.person()
  const id = await deadAnswer(anna, await anna.newThread(), 'Прив')
  await chat.world.db.update(messages).set({ heartbeatAt: sql`now()` }).where(eq(messages.id, id))
  expect(await recoverAnswers(world())).toBe(0)
  expect(await recoverAnswers(world(), 0)).toBe(1)
})

test.skipIf(!('url' in inject('snapshot')))(
  'kill -9 in the middle of an answer: at most two seconds are missing, and the charge equals what is stored',
  async () => {
    const anna = await chat.person()
    const thread = await anna.newThread()
    const script = 'server/features/answers/testing/write-and-hang.ts'
    const child = spawn(process.execPath, ['--import', 'tsx', script, String(chat.world.url), anna.user.id, thread])
    const heard: { at: number; offset: number; id: string }[] = []
    child.stdout.on('data', (data: Buffer) => {
      for (const line of data.toString().trim().split('\n')) {
        const [id = '', offset] = line.split(' ')
        heard.push({ at: performance.now(), offset: Number(offset), id })
      }
    })
    await expect.poll(() => heard.length, { timeout: 14_000 }).toBeGreaterThan(80)
    const killedAt = performance.now()
    child.kill('SIGKILL')
    await once(child, 'exit')
    await recoverAnswers(world(), 0)
    const row = await rowOf(heard[0]?.id ?? '')
    const longBefore = heard.filter(({ at }) => at < killedAt - 2000).at(-1)?.offset ?? 0
    expect(longBefore).toBeGreaterThan(0)
    expect(row?.content.length).toBeGreaterThanOrEqual(longBefore)
    expect(row).toMatchObject({ status: 'interrupted', charged: 5 + (row?.content.length ?? 0) })
  },
  30_000,
)
