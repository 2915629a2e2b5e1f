import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { answersApi } from '#contract/answers.ts'
import type { TopicEvent } from '#contract/realtime.ts'
import { type ThreadAnswerFields, threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { holds, ledger, threads } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { hangs, says, saysSlowly } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { startChat, type Talker } from './testing/chat.ts'

const chat = await closeAfterTests(startChat())
beforeEach(() => chat.provider.play(says('Привет', ', ', 'мир')))
afterAll(async () => expect(await reconcile(chat.app.db)).toEqual([]))

const lastRequest = () => chat.provider.received.at(-1)
const spent = (userId: string) => chat.app.db.select().from(ledger).where(eq(ledger.userId, userId))
const answersIn = (rows: Awaited<ReturnType<typeof spent>>) => rows.filter(({ kind }) => kind === 'answer')
const settings = (anna: Talker, change: object) =>
  anna.call(usersApi.update, { params: { id: anna.user.id }, body: { Settings: change } })

test('an answer streams both messages, then the text, then its cost (S1.17, S10.13)', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const reading = await anna.send(thread, { content: 'Скажи' })
  expect(reading.response.headers.get('content-type')).toMatch(/^text\/event-stream/)
  const message = await reading.message()
  const [start, ...rest] = reading.events
  expect(start).toMatchObject({
    type: 'start',
    user: { role: 'user', content: 'Скажи', status: 'complete', parentId: null },
    assistant: { role: 'assistant', content: '', status: 'streaming' },
  })
  expect(rest.slice(0, -1).every(({ type }) => type === 'delta')).toBe(true)
  expect(reading.text()).toBe('Привет, мир')
  expect(message).toMatchObject({ content: 'Привет, мир', status: 'complete', charged: 5 + 11, input: 5, output: 11 })
  expect(rest.at(-1)).toMatchObject({ charged: 16, SingleSubscription: { availableTokens: 20_000 - 16 } })
  expect(answersIn(await spent(anna.user.id))).toMatchObject([
    {
      symbols: -16,
      modelId: 'fast',
      threadId: thread,
      messageId: message.id,
      input: 5,
      output: 11,
      inputRate: 1,
      outputRate: 1,
    },
  ])
})

test('a client that accepts only JSON gets the finished message once', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const message = await anna.call(answersApi.send, { params: { id: thread }, body: { content: 'Скажи' } })
  expect(message).toMatchObject({
    role: 'assistant',
    content: 'Привет, мир',
    status: 'complete',
    charged: 16,
    SingleSubscription: { availableTokens: 20_000 - 16 },
  })
})

test('the thread shows the exchange and ends with the answer', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const message = await (await anna.send(thread, { content: 'Скажи' })).message()
  const read = await anna.read(thread)
  expect(read.currentLeafId).toBe(message.id)
  expect(read.Messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Скажи'],
    ['assistant', 'Привет, мир'],
  ])
})

describe('the model’s prompt', () => {
  beforeAll(() => chat.addModel({ id: 'small', contextSymbols: 40, maxOutputSymbols: 10 }))

  test('with history on: the last N messages and the input are billed (S5.25, S10.2)', async () => {
    const anna = await chat.person()
    await settings(anna, { threadHistory: true, threadHistoryLimit: 3 })
    const thread = await anna.newThread()
    for (const content of ['один', 'два', 'три']) await (await anna.send(thread, { content })).end()
    const message = await (await anna.send(thread, { content: 'четыре' })).message()
    expect(lastRequest()?.messages).toEqual([
      { role: 'assistant', content: 'Привет, мир' },
      { role: 'user', content: 'три' },
      { role: 'assistant', content: 'Привет, мир' },
      { role: 'user', content: 'четыре' },
    ])
    expect(message).toMatchObject({ input: 11 + 3 + 11 + 6, parts: { question: 6, history: 25, historyMessages: 3 } })
  })

  test('with history off: two messages (S5.25)', async () => {
    const anna = await chat.person()
    await settings(anna, { threadHistory: false, threadHistoryLimit: 50 })
    const thread = await anna.newThread()
    for (const content of ['один', 'два']) await (await anna.send(thread, { content })).end()
    const message = await (await anna.send(thread, { content: 'три' })).message()
    expect(lastRequest()?.messages).toHaveLength(3)
    expect(message.input).toBe(3 + 11 + 3)
  })

  test('earlier messages that do not fit are left out, with a notice (S10.2)', async () => {
    const anna = await chat.person()
    const thread = await anna.newThread('small')
    for (const content of ['один', 'два']) await (await anna.send(thread, { content })).end()
    const message = await (await anna.send(thread, { content: 'три' })).message()
    // The model reserves 10 of its 40 symbols for the answer, which also cuts «Привет, мир» to 10.
    expect(message.parts).toMatchObject({ question: 3, history: 10 + 3 + 10 + 4, historyMessages: 4, cutMessages: 0 })
    const longer = await (await anna.send(thread, { content: 'четвёртый' })).message()
    expect(longer.parts).toMatchObject({ question: 9, history: 10 + 3, historyMessages: 2, cutMessages: 4 })
  })

  test('a question that does not fit alone is refused and not stored', async () => {
    const anna = await chat.person()
    const thread = await anna.newThread('small')
    const reading = await anna.send(thread, { content: 'а'.repeat(31) })
    expect(await reading.error()).toMatchObject({ status: 400, field: 'content' })
    expect((await anna.read(thread)).Messages).toEqual([])
  })
})

test('an answer ends at the length the model is allowed', async () => {
  await chat.addModel({ id: 'short', maxOutputSymbols: 8 })
  const anna = await chat.person()
  const reading = await anna.send(await anna.newThread('short'), { content: 'Скажи' })
  expect(await reading.message()).toMatchObject({ content: 'Привет, ', status: 'complete', charged: 13 })
  expect(lastRequest()).toMatchObject({ max_completion_tokens: 8 })
})

describe('the same send repeated', () => {
  test('a repeat after the answer makes a single exchange and charge (S10.26)', async () => {
    const anna = await chat.person()
    const thread = await anna.newThread()
    const id = newId()
    const first = await (await anna.send(thread, { id, content: 'Скажи' })).message()
    const again = await anna.send(thread, { id, content: 'Скажи' })
    expect(await again.message()).toMatchObject({ id: first.id, charged: 16 })
    expect(again.text()).toBe('Привет, мир')
    expect((await anna.read(thread)).Messages).toHaveLength(2)
    expect(answersIn(await spent(anna.user.id))).toHaveLength(1)
  })

  test('ten simultaneous repeats make a single exchange and charge (S10.26)', async () => {
    chat.provider.play(saysSlowly(20, 'Привет', ', ', 'мир'))
    const anna = await chat.person()
    const thread = await anna.newThread()
    const id = newId()
    const readings = await Promise.all(Array.from({ length: 10 }, () => anna.send(thread, { id, content: 'Скажи' })))
    const ids = await Promise.all(readings.map(async (reading) => (await reading.message()).id))
    expect(new Set(ids).size).toBe(1)
    expect(new Set(readings.map((reading) => reading.text()))).toEqual(new Set(['Привет, мир']))
    expect(answersIn(await spent(anna.user.id))).toHaveLength(1)
    expect(await chat.app.db.$count(holds, eq(holds.userId, anna.user.id))).toBe(1)
  })
})

describe('refused messages', () => {
  test('the thread and message of another user are not found', async () => {
    const anna = await chat.person()
    const thread = await anna.newThread()
    const message = await (await anna.send(thread, { content: 'Скажи' })).message()
    const boris = await chat.person()
    const sent = await boris.send(thread, { content: 'Моё?' })
    expect(await sent.error()).toMatchObject({ status: 404, message: 'У вас нет беседы с таким ID' })
    expect((await boris.attach(thread, message.id)).status).toBe(404)
    await expect(boris.stop(thread, message.id)).rejects.toMatchObject({ status: 404 })
    expect((await boris.regenerate(thread, message.id)).status).toBe(404)
    expect((await boris.continue(thread, message.id)).status).toBe(404)
    const own = await boris.newThread()
    expect((await boris.send(own, { content: 'Ещё', parentId: message.id })).status).toBe(404)
    expect((await boris.attach(own, message.id)).status).toBe(404)
  })

  test('an empty message, an unknown and a hidden model are refused', async () => {
    const anna = await chat.person()
    const thread = await anna.newThread()
    expect(await (await anna.send(thread, { content: ' \n ' })).error()).toMatchObject({
      status: 400,
      field: 'content',
    })
    expect((await anna.send(thread, { content: 'Скажи', modelId: 'unknown' })).status).toBe(404)
    await chat.addModel({ id: 'secret', hidden: true })
    expect((await anna.send(thread, { content: 'Скажи', modelId: 'secret' })).status).toBe(404)
    expect((await anna.read(thread)).Messages).toEqual([])
  })

  test('a thread in the trash takes no messages', async () => {
    const anna = await chat.person()
    const thread = await anna.newThread()
    await anna.call(threadsApi.delete, { params: { id: thread }, query: {} })
    expect((await anna.send(thread, { content: 'Скажи' })).status).toBe(404)
  })
})

describe('versions', () => {
  test('editing makes a sibling of the question; the former branch stays (S10.116)', async () => {
    const anna = await chat.person()
    const thread = await anna.newThread()
    const first = await (await anna.send(thread, { content: 'Скажи' })).message()
    const second = await (await anna.send(thread, { content: 'Скажи иначе', parentId: null })).message()
    const { Messages } = await anna.read(thread)
    expect(Messages.map(({ content }) => content)).toEqual(['Скажи иначе', 'Привет, мир'])
    expect(Messages[0]?.siblings).toHaveLength(2)
    expect(lastRequest()?.messages).toEqual([{ role: 'user', content: 'Скажи иначе' }])
    await anna.call(threadsApi.update, { params: { id: thread }, body: { currentLeafId: first.id } })
    expect((await anna.read(thread)).Messages.map(({ content }) => content)).toEqual(['Скажи', 'Привет, мир'])
    expect(second.id).not.toBe(first.id)
  })

  test('an answer by another model is a new version, and both stay (S1.17)', async () => {
    await chat.addModel({ id: 'dear', inputRate: 2, outputRate: 2.5 })
    const anna = await chat.person()
    const thread = await anna.newThread()
    const first = await (await anna.send(thread, { content: 'Скажи' })).message()
    chat.provider.play(says('Иначе'))
    const second = await (await anna.regenerate(thread, first.id, { modelId: 'dear' })).message()
    expect(second).toMatchObject({
      content: 'Иначе',
      modelId: 'dear',
      parentId: first.parentId,
      siblings: [first.id, second.id],
    })
    expect(second.charged).toBe(Math.ceil(5 * 2 + 5 * 2.5))
    expect(lastRequest()?.model).toBe('vendor/dear')
  })

  test('a message to an unfinished answer is refused with an explanation', async () => {
    chat.provider.play(hangs())
    const anna = await chat.person()
    const thread = await anna.newThread()
    const reading = await anna.send(thread, { content: 'Скажи' })
    await reading.until(() => reading.started() !== undefined)
    const second = await anna.send(thread, { content: 'И ещё' })
    expect(await second.error()).toMatchObject({
      status: 409,
      message: 'Ответ ещё пишется. Дождитесь его или остановите.',
    })
    const start = reading.started()
    await anna.stop(thread, start?.assistant.id ?? '')
  })
})

test('a first exchange gets a title, free of charge (S4.6)', async () => {
  chat.provider.play(says('Столица — Минск'), says('«Столица Беларуси»'))
  const anna = await chat.person()
  const thread = await anna.newThread()
  await (await anna.send(thread, { content: 'Столица?' })).message()
  await expect
    .poll(async () => (await chat.app.db.select().from(threads).where(eq(threads.id, thread)))[0]?.title)
    .toBe('Столица Беларуси')
  expect(answersIn(await spent(anna.user.id))).toHaveLength(1)
})

test('other windows of the user receive an answer’s start and end', async () => {
  const seenEvents: string[] = []
  const anna = await chat.person()
  const thread = await anna.newThread()
  const unlisten = chat.app.bus.listen((published) => {
    if (published.type === 'event' && published.userId === anna.user.id)
      seenEvents.push(`${published.event.topic} ${published.event.type}`)
  })
  await (await anna.send(thread, { content: 'Скажи' })).end()
  unlisten()
  expect(seenEvents).toEqual(
    expect.arrayContaining([
      `thread:${thread} answering`,
      `thread:${thread} finished`,
      'threads changed',
      'profile balance',
    ]),
  )
})

test('the event of an exchange brings all changes of the thread list (S10.491)', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const events: TopicEvent[] = []
  const unlisten = chat.app.bus.listen((published) => {
    if (published.type === 'event' && published.userId === anna.user.id) events.push(published.event)
  })
  const row = async () => (await anna.call(threadsApi.list, { query: {} })).find(({ id }) => id === thread)
  const before = await row()
  await (await anna.send(thread, { content: 'Скажи' })).end()
  unlisten()
  const moves = events.flatMap(({ topic, data }) =>
    topic === 'threads' ? (data as { change?: ThreadAnswerFields }) : [],
  )
  const { version: _, title: __, ...after } = (await row()) ?? {}
  const change = moves.find((one) => one.change)?.change
  expect({ ...before, ...change }).toMatchObject(after)
  expect(change?.version).toBe((before?.version ?? 0) + 1)
  expect(moves.filter((one) => one.change)).toHaveLength(1)
})
