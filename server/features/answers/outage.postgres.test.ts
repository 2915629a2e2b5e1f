import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ledger, messageChunks, messages } from '#server/db/schema.ts'
import { chunk, DONE, hangs, type Script } from '#server/llm/testing/fake-openai.ts'
import { databaseAway, driverOf } from '#server/testing/outage.ts'
import { reconcile } from '../billing/invariants.ts'
import { storeChunks } from './rows.ts'
import { type Chat, startChat } from './testing/chat.ts'

let chat: Chat
beforeAll(async () => {
  chat = await startChat({ startSymbols: 100_000 })
})
afterAll(async () => {
  expect(await reconcile(chat.app.db)).toEqual([])
  await chat.close()
})

const pass = (ms: number) => new Promise((done) => setTimeout(done, ms))
const rowOf = async (id: string) => (await chat.app.db.select().from(messages).where(eq(messages.id, id)))[0]
const words = Array.from({ length: 100 }, (_, n) => `слово номер ${n}, и ещё немного текста. `)

/** Sends all words within two and a half seconds, then ends the response or breaks the connection. */
function streamsWords(end: 'well' | 'cut'): Script {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const word of words) {
      response.write(chunk(word))
      await pass(25)
    }
    if (end === 'cut') response.destroy()
    else response.end(chunk(null, 'stop') + DONE)
  }
}

const away = (ms: number) => databaseAway(chat.app.db, ms)
const driver = () => driverOf(chat.app.db)

test('a database outage during an answer costs no word and no symbol', async () => {
  chat.provider.play(streamsWords('well'))
  const anna = await chat.person()
  const thread = await anna.newThread()
  const reading = await anna.send(thread, { content: 'Скажи' })
  await reading.until(() => reading.offset() > 100)
  await away(1800)
  const text = words.join('')
  expect(await reading.message()).toMatchObject({ content: text, status: 'complete', charged: 5 + text.length })
  expect(reading.text()).toBe(text)
})

test('a database outage at the end is waited for', async () => {
  chat.provider.play(streamsWords('well'))
  const anna = await chat.person()
  const thread = await anna.newThread()
  const reading = await anna.send(thread, { content: 'Скажи' })
  await reading.until(() => reading.text().includes('номер 80'))
  await away(2500)
  const text = words.join('')
  expect(await reading.message()).toMatchObject({ content: text, status: 'complete', charged: 5 + text.length })
})

test('a failed answer is free, whatever text was shown and stored', async () => {
  chat.provider.play(streamsWords('cut'))
  const anna = await chat.person()
  const thread = await anna.newThread()
  const reading = await anna.send(thread, { content: 'Скажи' })
  await reading.until(() => reading.offset() > 100)
  const id = reading.started()?.assistant.id ?? ''
  await away(1000)
  expect(await reading.end()).toMatchObject({ type: 'error' })
  const row = await rowOf(id)
  expect(row).toMatchObject({ status: 'failed', charged: 0 })
  expect(words.join('').startsWith(row?.content ?? '-')).toBe(true)
  expect(await chat.app.db.$count(ledger, eq(ledger.messageId, id))).toBe(0)
})

test('a stopped answer stores and charges exactly the text that was shown', async () => {
  for (const at of [200, 700, 1040]) {
    chat.provider.play(streamsWords('well'))
    const anna = await chat.person()
    const thread = await anna.newThread()
    const reading = await anna.send(thread, { content: 'Скажи' })
    await reading.until(() => reading.offset() > at)
    const id = reading.started()?.assistant.id ?? ''
    await anna.stop(thread, id)
    const end = await reading.message()
    expect(end).toMatchObject({ status: 'stopped', content: reading.text(), charged: 5 + reading.text().length })
  }
})

test('a start with a lost acknowledgement writes a single answer', async () => {
  chat.provider.play(streamsWords('well'))
  const anna = await chat.person()
  const thread = await anna.newThread()
  const query = driver().query
  let starts = 0
  const spy = vi.spyOn(driver(), 'query').mockImplementation(async (...args) => {
    const result = await query(...args)
    if (!isStart(args[0])) return result
    starts += 1
    if (starts === 1) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    return result
  })
  const reading = await anna.send(thread, { content: 'Скажи' })
  const text = words.join('')
  expect(await reading.message()).toMatchObject({ content: text, status: 'complete', charged: 5 + text.length })
  spy.mockRestore()
  expect(starts).toBe(2)
  expect((await anna.read(thread)).Messages).toHaveLength(2)
})

/** The statement that holds the symbols and writes question and answer. */
function isStart(query: unknown): boolean {
  const text = typeof query === 'string' ? query : (query as { text: string }).text
  return text.includes('money_hold')
}

test('requests during an outage get a 503 with Retry-After', async () => {
  const anna = await chat.person()
  const gone = away(700)
  const answer = await anna.fetch('/api/threads')
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await answer.json()).toMatchObject({ code: 'unavailable', message: expect.stringContaining('Повторите') })
  await gone
  expect((await anna.fetch('/api/threads')).status).toBe(200)
})

test('a chunk stored late leaves nothing behind the end', async () => {
  chat.provider.play(hangs())
  const anna = await chat.person()
  const thread = await anna.newThread()
  const reading = await anna.send(thread, { content: 'Скажи' })
  await reading.until(() => reading.started() !== undefined)
  const id = reading.started()?.assistant.id ?? ''
  const { hold = '' } = (await rowOf(id))?.run ?? {}
  const late = chat.app.db.transaction(async (tx) => {
    await storeChunks(tx, [{ id, hold, at: 0, upto: 4, text: 'Прив' }])
    await pass(1000)
  })
  await pass(300)
  await Promise.all([anna.stop(thread, id), late])
  expect(await chat.app.db.$count(messageChunks, eq(messageChunks.messageId, id))).toBe(0)
})
