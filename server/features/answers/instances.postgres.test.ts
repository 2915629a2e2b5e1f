import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ledger, messages } from '#server/db/schema.ts'
import { openLog } from '#server/lib/log.ts'
import { chunk, DONE, hangs, type Script, saysSlowly, thoughtChunk } from '#server/llm/testing/fake-openai.ts'
import { type Bus, inProcessBus, redisBus } from '#server/realtime/bus.ts'
import { openRedis, type RedisLink } from '#server/realtime/redis.ts'
import { reconcile } from '../billing/invariants.ts'
import { type Chat, type Reading, startChat, type Talker } from './testing/chat.ts'

/** Two instances on one database, connected by Redis where it is available. */
let here: Chat
let there: Chat
const redisUrl = inject('redisUrl')
const redises: RedisLink[] = []
const log = openLog('silent')
const prefix = `test-${process.pid}:`
const shared = inProcessBus()

async function busOfOne(): Promise<Bus> {
  if (!redisUrl) return shared
  const redis = await openRedis({ url: redisUrl, prefix, log })
  redises.push(redis)
  return redisBus(redis, log)
}

beforeAll(async () => {
  here = await startChat({ bus: await busOfOne(), startSymbols: 1_000_000 })
  there = await startChat({ bus: await busOfOne(), database: here.app.database, provider: here.provider })
})
afterAll(async () => {
  expect(await reconcile(here.app.db)).toEqual([])
  await there.close()
  await here.close()
  for (const redis of redises) redis.close()
})

/** The same person on both instances: one session, two servers. */
async function personOnBoth(): Promise<[here: Talker, there: Talker]> {
  const anna = await here.person()
  return [anna, there.withCookies(anna)]
}

test('a growing answer is read on another instance (S10.110)', async () => {
  here.provider.play(saysSlowly(60, ...Array.from({ length: 30 }, (_, i) => `слово${i} `)))
  const [anna, sameAnna] = await personOnBoth()
  const thread = await anna.newThread()
  const writing = await anna.send(thread, { content: 'Скажи' })
  await writing.until(() => writing.started() !== undefined)
  const reading = await sameAnna.attach(thread, writing.started()?.assistant.id ?? '')
  await reading.until(() => reading.text().includes('слово5'))
  expect(writing.events.at(-1)?.type).not.toBe('done')
  const [end, same] = [await writing.message(), await reading.message()]
  expect(reading.text()).toBe(writing.text())
  expect(same).toEqual(end)
})

test('a growing thought is read on another instance', async () => {
  const parts = Array.from({ length: 30 }, (_, i) => `мысль${i} `)
  here.provider.play(async (response) => {
    response.writeHead(200)
    for (const part of parts) {
      response.write(thoughtChunk(part))
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    response.end(chunk('Да', 'stop') + DONE)
  })
  const [anna, sameAnna] = await personOnBoth()
  const thread = await anna.newThread()
  const writing = await anna.send(thread, { content: 'Скажи' })
  await writing.until(() => writing.started() !== undefined)
  const reading = await sameAnna.attach(thread, writing.started()?.assistant.id ?? '')
  await reading.until(() => reading.thought().includes('мысль5'))
  expect(writing.text()).toBe('')
  const [end, same] = [await writing.message(), await reading.message()]
  expect(reading.thought()).toBe(parts.join(''))
  expect(same).toEqual(end)
  const late = await sameAnna.attach(thread, end.id, 0, 10)
  await late.end()
  expect(late.thought()).toBe(parts.join('').slice(10))
})

test('an answer is stopped from another instance, before the first word too (S10.110)', async () => {
  here.provider.play(hangs())
  const [anna, sameAnna] = await personOnBoth()
  const thread = await anna.newThread()
  const writing = await anna.send(thread, { content: 'Скажи' })
  await writing.until(() => writing.started() !== undefined)
  expect(await sameAnna.stop(thread, writing.started()?.user.id ?? '')).toMatchObject({ status: 'stopped', charged: 0 })
  expect(await writing.message()).toMatchObject({ status: 'stopped' })
})

test('without a bus, other instances read and stop answers through the database', async () => {
  const apart = await startChat({ bus: inProcessBus(), database: here.app.database, provider: here.provider })
  here.provider.play(saysSlowly(60, ...Array.from({ length: 120 }, (_, i) => `слово${i} `)))
  const anna = await here.person()
  const thread = await anna.newThread()
  const writing = await anna.send(thread, { content: 'Скажи' })
  await writing.until(() => writing.text().includes('слово3'))
  const id = writing.started()?.assistant.id ?? ''
  const far = apart.withCookies(anna)
  const reading = await far.attach(thread, id)
  await reading.until(() => reading.text().includes('слово20'))
  expect(writing.events.at(-1)?.type).not.toBe('done')
  expect(await far.stop(thread, id)).toMatchObject({ status: 'stopped' })
  const [end, same] = [await writing.message(), await reading.message()]
  expect(same).toEqual(end)
  expect(reading.text()).toBe(end.content)
  await apart.close()
}, 30_000)

test('500 lost connections over 100 answers lose no text or symbol (S10.110)', async () => {
  const words = Array.from({ length: 60 }, (_, i) => `слово ${i} 😀 `)
  here.provider.play(streamsWords(words))
  const people = await Promise.all(Array.from({ length: 34 }, personOnBoth))
  let lost = 0
  const readings = people.flatMap((both) =>
    [1, 2, 3].map(async () => {
      const [anna] = both
      const thread = await anna.newThread()
      const first = await anna.send(thread, { content: 'Скажи' })
      await first.until(() => first.started() !== undefined)
      const id = first.started()?.assistant.id ?? ''
      let text = ''
      let reading = first
      for (let turn = 1; turn <= 5; turn += 1) {
        await readSome(reading)
        reading.cut()
        lost += 1
        await reading.end()
        text += reading.text().slice(startOf(reading))
        reading = await (both[turn % 2] ?? anna).attach(thread, id, text.length)
      }
      await reading.message()
      text += reading.text()
      return { id, text }
    }),
  )
  const answers = (await Promise.all(readings)).slice(0, 100)
  expect(lost).toBeGreaterThanOrEqual(500)
  for (const { id, text } of answers) {
    const [row] = await here.app.db.select().from(messages).where(eq(messages.id, id))
    expect(text).toBe(words.join(''))
    expect(row).toMatchObject({ content: text, status: 'complete', charged: 5 + text.length })
    expect(await here.app.db.$count(ledger, eq(ledger.messageId, id))).toBe(1)
  }
}, 60_000)

/** Fast enough for a test, slow enough for readers to disconnect in the middle. */
function streamsWords(words: string[]): Script {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const word of words) {
      response.write(chunk(word))
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    response.end(chunk(null, 'stop') + DONE)
  }
}

async function readSome(reading: Reading) {
  const enough = reading.events.length + Math.floor(Math.random() * 4)
  const over = () => reading.events.length >= enough || reading.events.at(-1)?.type === 'done'
  await reading.until(over).catch(() => undefined)
}

/** The length of the text in the `start` event, which is empty for a new answer; 0 for a stream without one. */
const startOf = (reading: Reading) => reading.started()?.assistant.content.length ?? 0
