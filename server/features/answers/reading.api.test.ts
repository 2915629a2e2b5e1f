import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { ledger, messageChunks } from '#server/db/schema.ts'
import { chunk, DONE, hangs, says, saysSlowly, streams } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { startChat } from './testing/chat.ts'

const chat = await closeAfterTests(startChat())
beforeEach(() => chat.provider.play(says('Привет', ', ', 'мир')))
afterAll(async () => expect(await reconcile(chat.app.db)).toEqual([]))

test('a person reads at most ten answers at once', async () => {
  chat.provider.play(hangs())
  const anna = await chat.person()
  const thread = await anna.newThread()
  const first = await anna.send(thread, { content: 'Скажи' })
  await first.until(() => first.started() !== undefined)
  const messageId = first.started()?.assistant.id ?? ''
  const readings = await Promise.all(Array.from({ length: 12 }, () => anna.attach(thread, messageId)))
  const opened = readings.filter(({ status }) => status === 200)
  expect(opened).toHaveLength(9)
  const refused = await anna.fetch(`/api/threads/${thread}/message/${messageId}/stream`)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ message: expect.stringMatching(/лишние вкладки/) })
  opened[0]?.cut()
  await expect.poll(async () => (await anna.attach(thread, messageId)).status).toBe(200)
  await anna.stop(thread, messageId)
  await first.message()
  expect((await anna.attach(thread, messageId)).status).toBe(200)
})

test('a person has at most three answers written at once (S10.119)', async () => {
  chat.provider.play(hangs())
  const anna = await chat.person()
  const threadIds = await Promise.all([1, 2, 3, 4, 5].map(() => anna.newThread()))
  const readings = await Promise.all(threadIds.map((id) => anna.send(id, { content: 'Скажи' })))
  expect(readings.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429])
  for (const [i, id] of threadIds.entries()) {
    if (readings[i]?.status !== 200) continue
    await readings[i]?.until(() => readings[i]?.started() !== undefined)
    await anna.stop(id, readings[i]?.started()?.user.id ?? '')
  }
  chat.provider.play(says('Дальше'))
  expect((await (await anna.send(threadIds[0] ?? '', { content: 'И?' })).message()).content).toBe('Дальше')
})

describe('stopping', () => {
  test('before the first word it costs the question after three free stops (S10.113)', async () => {
    chat.provider.play(hangs())
    const anna = await chat.person()
    const thread = await anna.newThread()
    const reading = await anna.send(thread, { content: 'Скажи' })
    await reading.until(() => reading.started() !== undefined)
    const stopped = await anna.stop(thread, reading.started()?.assistant.id ?? '')
    expect(stopped).toMatchObject({ status: 'stopped', content: '', charged: 0, earlyStop: { free: 1 } })
    expect(await reading.message()).toMatchObject({ status: 'stopped', charged: 0 })
    expect(await chat.app.db.$count(ledger, eq(ledger.messageId, stopped.id))).toBe(0)
  })

  test('midway it costs the question and what was shown (S10.20)', async () => {
    chat.provider.play(saysSlowly(60, ...Array.from({ length: 50 }, () => 'слово ')))
    const anna = await chat.person()
    const thread = await anna.newThread()
    const reading = await anna.send(thread, { content: 'Скажи' })
    await reading.until(() => reading.offset() >= 12)
    await anna.stop(thread, reading.started()?.user.id ?? '')
    const message = await reading.message()
    expect(message).toMatchObject({ status: 'stopped', content: reading.text(), charged: 5 + reading.text().length })
    expect(message.content.length).toBeLessThan(300)
  })

  test('an answer that has ended stays as it is', async () => {
    const anna = await chat.person()
    const thread = await anna.newThread()
    const message = await (await anna.send(thread, { content: 'Скажи' })).message()
    expect(await anna.stop(thread, message.id)).toMatchObject({ status: 'complete', charged: 16 })
  })
})

describe('readers', () => {
  test('a reader who leaves stops nothing (S10.109)', async () => {
    chat.provider.play(saysSlowly(30, 'один ', 'два ', 'три'))
    const anna = await chat.person()
    const thread = await anna.newThread()
    const reading = await anna.send(thread, { content: 'Скажи' })
    await reading.until(() => reading.offset() > 0)
    reading.cut()
    const id = reading.started()?.assistant.id ?? ''
    expect((await (await anna.attach(thread, id)).message()).content).toBe('один два три')
  })

  test('a reader continues from its offset (S10.110)', async () => {
    chat.provider.play(saysSlowly(30, 'один ', 'два ', 'три ', 'четыре'))
    const anna = await chat.person()
    const thread = await anna.newThread()
    const reading = await anna.send(thread, { content: 'Скажи' })
    await reading.until(() => reading.offset() > 0)
    const have = reading.offset()
    reading.cut()
    const again = await anna.attach(thread, reading.started()?.assistant.id ?? '', have)
    await again.message()
    expect(again.started()).toBeUndefined()
    expect(reading.text() + again.text()).toBe('один два три четыре')
    expect(again.offset()).toBe('один два три четыре'.length)
  })

  test('the last chunk of an answer says that it is the last (S10.460)', async () => {
    // The end arrives together with the last words, so the flush timer cannot send them before it.
    chat.provider.play(streams(chunk('один '), chunk('два ') + chunk('три', 'stop') + DONE))
    const anna = await chat.person()
    const reading = await anna.send(await anna.newThread(), { content: 'Скажи' })
    await reading.message()
    const deltas = reading.events.filter((event) => event.type === 'delta')
    expect(deltas.map(({ last }) => last ?? false)).toEqual([...deltas.slice(1).map(() => false), true])
  })

  test('another user’s running answer can be neither read nor stopped', async () => {
    chat.provider.play(saysSlowly(30, ...Array.from({ length: 60 }, () => 'тайна ')))
    const anna = await chat.person()
    const thread = await anna.newThread()
    const reading = await anna.send(thread, { content: 'Скажи' })
    await reading.until(() => reading.offset() > 0)
    const id = reading.started()?.assistant.id ?? ''
    const boris = await chat.person()
    const own = await boris.newThread()
    for (const have of [undefined, 0, 1, 1000]) {
      expect((await boris.attach(thread, id, have)).status).toBe(404)
      expect((await boris.attach(own, id, have)).status).toBe(404)
    }
    await expect(boris.stop(thread, id)).rejects.toMatchObject({ status: 404 })
    await anna.stop(thread, id)
  })

  test('a finished answer is read again from any place', async () => {
    const anna = await chat.person()
    const thread = await anna.newThread()
    const message = await (await anna.send(thread, { content: 'Скажи' })).message()
    const whole = await anna.attach(thread, message.id)
    expect(await whole.message()).toMatchObject({ id: message.id, charged: 16 })
    expect(whole.text()).toBe('Привет, мир')
    const rest = await anna.attach(thread, message.id, 8)
    await rest.message()
    expect(rest.text()).toBe('мир')
  })

  test('a reader with more text than stored restarts from the stored text', async () => {
    const anna = await chat.person()
    const thread = await anna.newThread()
    const message = await (await anna.send(thread, { content: 'Скажи' })).message()
    const reading = await anna.attach(thread, message.id, 500)
    await reading.message()
    expect(reading.started()?.assistant.content).toBe('Привет, мир')
    expect(reading.text()).toBe('Привет, мир')
  })

  test('text is stored while it is being written (S10.114)', async () => {
    chat.provider.play(saysSlowly(400, ...Array.from({ length: 8 }, () => 'слово ')))
    const anna = await chat.person()
    const thread = await anna.newThread()
    const reading = await anna.send(thread, { content: 'Скажи' })
    await reading.until(() => reading.offset() >= 36)
    const id = reading.started()?.assistant.id ?? ''
    const chunks = await chat.app.db.select().from(messageChunks).where(eq(messageChunks.messageId, id))
    expect(chunks.reduce((sum, { text }) => sum + text.length, 0)).toBeGreaterThanOrEqual(12)
    await anna.stop(thread, id)
  })
})
