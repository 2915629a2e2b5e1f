import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { imageIdIn } from '#contract/image-address.ts'
import { imagesApi } from '#contract/images.ts'
import type { TopicEvent } from '#contract/realtime.ts'
import { threadsApi } from '#contract/threads.ts'
import { usersApi } from '#contract/users.ts'
import { balances, images, ledger, messages, modelCalls, models } from '#server/db/schema.ts'
import { markSource } from '#server/files/image-mark.ts'
import { usualImageSkills } from '#server/llm/image-skills.ts'
import { draws, drawsInParts, hangs, refuses, says } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { createAnswerRecovery } from '../answers/recover.ts'
import { startChat, type Talker } from '../answers/testing/chat.ts'
import { reconcile } from '../billing/invariants.ts'
import { anImage, drawsWhenLet, PRICE } from './testing/gallery.ts'

let anna: Talker
const chat = await closeAfterTests(startChat({ startSymbols: 10 * PRICE }))
const image = await anImage()
await chat.addModel({ id: 'brush', name: 'Кисть', kind: 'image', imagePrice: PRICE, inputRate: 7, outputRate: 7 })
beforeEach(async () => {
  chat.provider.play(draws(image))
  anna = await chat.person()
})
afterAll(async () => expect(await reconcile(chat.app.db)).toEqual([]))

const balance = async () => (await anna.call(usersApi.me, {})).SingleSubscription
/** A thread with a title, so that no model is asked to write one. */
async function easel(modelId = 'brush') {
  const id = await anna.newThread(modelId)
  await anna.call(threadsApi.update, { params: { id }, body: { title: 'Мольберт' } })
  return id
}
const addressIn = (content: string) => /\((.*)\)$/.exec(content)?.[1] ?? ''

test('a thread with an image model answers with start, text, done', async () => {
  const thread = await easel()
  const reading = await anna.send(thread, { content: 'Рыжий [кот]\nв ](javascript:alert(1))' })
  const message = await reading.message()
  expect(reading.events.map(({ type }) => type)).toEqual(['start', 'delta', 'done'])
  expect(message).toMatchObject({ status: 'complete', modelId: 'brush', charged: PRICE, input: 0, output: 0 })
  expect(message.content).toMatch(/^!\[Рыжий кот в javascript:alert 1\]\(\/api\/images\/[\w-]+\/file\)$/)
  expect(chat.provider.received.at(-1)).toMatchObject({
    path: '/v1/images/generations',
    prompt: expect.stringMatching(/^Рыжий \[кот\]/),
  })
  const file = await anna.fetch(addressIn(message.content))
  expect(
    Buffer.from(await file.arrayBuffer()).equals(
      markSource(image, 'image/png', { width: 48, height: 32, source: 'drawn' }),
    ),
  ).toBe(true)
  expect(await balance()).toMatchObject({ availableTokens: 9 * PRICE, held: 0 })
})

test('the image is in the gallery with its chat and charged once', async () => {
  const thread = await easel()
  const message = await (await anna.send(thread, { content: 'Кот' })).message()
  const [image, ...others] = await anna.call(imagesApi.list, { query: {} })
  expect(others).toEqual([])
  expect(image).toMatchObject({
    id: imageIdIn(addressIn(message.content)),
    prompt: 'Кот',
    status: 'ready',
    charged: PRICE,
    threadId: thread,
    messageId: message.id,
  })
  const entries = await chat.app.db.select().from(ledger).where(eq(ledger.messageId, message.id))
  expect(entries).toMatchObject([
    { kind: 'image', symbols: -PRICE, modelId: 'brush', threadId: thread, note: 'Изображение', input: null },
  ])
  // Its cost counts with the answer, and not as an image of the gallery too.
  const calls = await chat.app.db.select().from(modelCalls).where(eq(modelCalls.modelId, 'brush'))
  expect(calls.at(-1)).toMatchObject({ kind: 'answer', status: 'complete', isFirstAnswer: true })
  expect(calls.filter(({ kind }) => kind === 'image')).toEqual([])
})

test('a reader that leaves finds the image later', async () => {
  const gate = drawsWhenLet(image)
  chat.provider.play(gate.script)
  const thread = await easel()
  const reading = await anna.send(thread, { content: 'Кот' })
  await reading.until(() => reading.started() !== undefined)
  const id = (await anna.read(thread)).Messages.at(-1)?.id ?? ''
  reading.cut()
  expect(await balance()).toMatchObject({ availableTokens: 9 * PRICE, held: PRICE })
  gate.let()
  const again = await anna.attach(thread, id)
  expect(await again.message()).toMatchObject({ status: 'complete', charged: PRICE })
})

test('a failed image is a failed, free answer that can be repeated', async () => {
  const thread = await easel()
  chat.provider.play(refuses(400, { error: { code: 'moderation_blocked' } }), draws(image))
  const reading = await anna.send(thread, { content: 'Кот' })
  expect(await reading.end()).toMatchObject({
    type: 'error',
    code: 'model_failed',
    message: 'Модель отказалась это рисовать по своим правилам. Измените описание.',
  })
  const failed = (await anna.read(thread)).Messages.at(-1)
  expect(failed).toMatchObject({ status: 'failed', charged: 0, content: '' })
  const again = await anna.regenerate(thread, failed?.id ?? '')
  expect(await again.message()).toMatchObject({
    status: 'complete',
    charged: PRICE,
    siblings: [failed?.id, expect.any(String)],
  })
  expect(await balance()).toMatchObject({ availableTokens: 9 * PRICE, held: 0 })
})

test('an image stopped early costs its price after three free stops (S10.23)', async () => {
  chat.provider.play(hangs())
  const drop = async () => {
    const thread = await easel()
    const before = chat.provider.received.length
    const reading = await anna.send(thread, { content: 'Кот' })
    await reading.until(() => reading.started() !== undefined)
    await expect.poll(() => chat.provider.received.length).toBeGreaterThan(before)
    return anna.stop(thread, (await anna.read(thread)).Messages.at(-1)?.id ?? '')
  }
  for (const free of [1, 2, 3])
    expect(await drop()).toMatchObject({ status: 'stopped', charged: 0, earlyStop: { charged: 0, free } })
  expect(await balance()).toMatchObject({ availableTokens: 10 * PRICE, held: 0 })
  const paid = await drop()
  expect(paid).toMatchObject({ status: 'stopped', charged: PRICE, earlyStop: { charged: PRICE, free: null } })
  expect(await anna.call(imagesApi.list, { query: {} })).toEqual([])
  expect(await balance()).toMatchObject({ availableTokens: 9 * PRICE, held: 0 })
})

test('an image stopped before a server was killed is charged as stopped', async () => {
  chat.provider.play(hangs())
  const { db, hub, log } = chat.app
  await db
    .update(balances)
    .set({ freeStops: 3, freeStopsDay: sql`money_day(now())` })
    .where(eq(balances.userId, anna.user.id))
  const thread = await easel()
  const reading = await anna.send(thread, { content: 'Кот' })
  await reading.until(() => reading.started() !== undefined)
  const id = (await anna.read(thread)).Messages.at(-1)?.id ?? ''
  await db.update(messages).set({ instance: 'dead', stopRequested: true }).where(eq(messages.id, id))
  expect(await createAnswerRecovery({ db, publish: hub.publish, log })()).toBe(1)
  expect((await anna.read(thread)).Messages.at(-1)).toMatchObject({ status: 'stopped', charged: PRICE })
  await anna.stop(thread, id)
  expect(await balance()).toMatchObject({ availableTokens: 9 * PRICE, held: 0 })
})

test('a killed server leaves an interrupted answer that cost nothing', async () => {
  chat.provider.play(hangs())
  const thread = await easel()
  const reading = await anna.send(thread, { content: 'Кот' })
  await reading.until(() => reading.started() !== undefined)
  const { db, hub } = chat.app
  const id = (await anna.read(thread)).Messages.at(-1)?.id ?? ''
  await db.update(messages).set({ instance: 'dead' }).where(eq(messages.id, id))
  expect(await createAnswerRecovery({ db, publish: hub.publish, log: chat.app.log })()).toBe(1)
  expect((await anna.read(thread)).Messages.at(-1)).toMatchObject({ status: 'interrupted', charged: 0 })
  expect(await balance()).toMatchObject({ availableTokens: 10 * PRICE, held: 0 })
  await anna.stop(thread, id)
})

test('without symbols for an image the message is refused and not stored', async () => {
  const owner = await chat.person('owner@example.test')
  await owner.post(`/api/users/${anna.user.id}/gift`, { symbols: -(9 * PRICE + 1), reason: 'для проверки' })
  const thread = await easel()
  const reading = await anna.send(thread, { content: 'Кот' })
  expect(await reading.error()).toMatchObject({ status: 402, code: 'out_of_symbols' })
  expect((await anna.read(thread)).Messages).toEqual([])
  expect(await chat.app.db.$count(images, eq(images.userId, anna.user.id))).toBe(0)
})

test('a description that cannot be drawn is refused in words', async () => {
  const thread = await easel()
  const long = await anna.send(thread, { content: 'к'.repeat(4001) })
  expect(await long.error()).toMatchObject({ status: 400, message: expect.stringContaining('не длиннее 4000') })
  const message = await (await anna.send(thread, { content: 'Кот' })).message()
  const more = await anna.continue(thread, message.id)
  expect(await more.error()).toMatchObject({ status: 409, message: expect.stringContaining('нельзя продолжить') })
})

test('text and images take turns in a thread', async () => {
  const thread = await easel('fast')
  chat.provider.play(says('Нарисуйте кота'))
  await (await anna.send(thread, { content: 'Что нарисовать?' })).message()
  chat.provider.play(draws(image))
  const drawn = await (await anna.send(thread, { content: 'Кот', modelId: 'brush' })).message()
  expect(drawn.parts).toMatchObject({ question: 3, history: 0 })
  chat.provider.play(says('Хороший кот'))
  const answer = await (await anna.send(thread, { content: 'Как тебе?', modelId: 'fast' })).message()
  expect(answer.content).toBe('Хороший кот')
  expect(JSON.stringify(chat.provider.received.at(-1)?.messages)).toContain('![Кот](/api/images/')
})

describe('changing in a chat', () => {
  beforeEach(async () => {
    const imageSkills = { ...usualImageSkills('gemini', ''), partial: true, changePrice: 2 * PRICE }
    await chat.app.db.update(models).set({ imageSkills }).where(eq(models.id, 'brush'))
  })

  async function drawn() {
    const thread = await easel()
    chat.provider.play(draws(image))
    const message = await (await anna.send(thread, { content: 'Кот' })).message()
    return { thread, message, imageId: imageIdIn(addressIn(message.content)) ?? '' }
  }

  test('the named image goes to the model and becomes a version (S10.836)', async () => {
    const { thread, imageId } = await drawn()
    const blue = await sharp({ create: { width: 48, height: 32, channels: 3, background: '#12e' } })
      .png()
      .toBuffer()
    chat.provider.play(draws(blue))
    const message = await (await anna.send(thread, { content: 'Сделай фон синим', imageId })).message()
    expect(message).toMatchObject({ status: 'complete', charged: 2 * PRICE })
    expect(chat.provider.received.at(-1)).toMatchObject({ path: '/v1/images/edits', prompt: 'Сделай фон синим' })
    expect(chat.provider.received.at(-1)?.images).toHaveLength(1)
    const changedId = imageIdIn(addressIn(message.content)) ?? ''
    const versions = await anna.call(imagesApi.versions, { params: { id: imageId } })
    expect(versions).toMatchObject([
      { id: imageId, parentId: null },
      {
        id: changedId,
        parentId: imageId,
        origin: 'changed',
        threadId: thread,
        messageId: message.id,
        charged: 2 * PRICE,
      },
    ])
    expect((await anna.read(thread)).Messages.map((one) => one.imageId ?? null)).toEqual([null, null, imageId, null])
    expect(await balance()).toMatchObject({ availableTokens: 7 * PRICE, held: 0 })
  })

  test('a question without a named image sends none (S10.836)', async () => {
    const { thread } = await drawn()
    await (await anna.send(thread, { content: 'Сделай фон синим' })).message()
    expect(chat.provider.received.at(-1)).toMatchObject({ path: '/v1/images/generations' })
    expect(chat.provider.received.at(-1)?.images).toBeUndefined()
    expect(await balance()).toMatchObject({ availableTokens: 8 * PRICE, held: 0 })
  })

  test('a failed change is free, and another answer changes the same image (S10.837)', async () => {
    const { thread, imageId } = await drawn()
    chat.provider.play(refuses(400, { error: { code: 'moderation_blocked' } }), draws(image))
    const reading = await anna.send(thread, { content: 'Синий', imageId })
    expect(await reading.end()).toMatchObject({ type: 'error', code: 'model_failed' })
    expect(await balance()).toMatchObject({ availableTokens: 9 * PRICE, held: 0 })
    const failed = (await anna.read(thread)).Messages.at(-1)
    const again = await (await anna.regenerate(thread, failed?.id ?? '')).message()
    expect(again).toMatchObject({ status: 'complete', charged: 2 * PRICE })
    expect(chat.provider.received.at(-1)).toMatchObject({ path: '/v1/images/edits' })
    expect(await anna.call(imagesApi.versions, { params: { id: imageId } })).toHaveLength(2)
  })

  test('a killed server ends a change for free and keeps its question (S10.837)', async () => {
    const { thread, imageId } = await drawn()
    chat.provider.play(hangs())
    const reading = await anna.send(thread, { content: 'Синий', imageId })
    await reading.until(() => reading.started() !== undefined)
    const { db, hub, log } = chat.app
    const id = (await anna.read(thread)).Messages.at(-1)?.id ?? ''
    expect(await balance()).toMatchObject({ held: 2 * PRICE })
    await db.update(messages).set({ instance: 'dead' }).where(eq(messages.id, id))
    expect(await createAnswerRecovery({ db, publish: hub.publish, log })()).toBe(1)
    expect((await anna.read(thread)).Messages.slice(-2)).toMatchObject([
      { content: 'Синий', imageId },
      { status: 'interrupted', charged: 0 },
    ])
    expect(await balance()).toMatchObject({ availableTokens: 9 * PRICE, held: 0 })
    await anna.stop(thread, id)
  })

  test('images of others, deleted ones and models without changes are refused (S10.836)', async () => {
    const { thread, imageId } = await drawn()
    const before = await balance()
    const boris = await chat.person()
    const other = await boris.newThread('brush')
    expect(await (await boris.send(other, { content: 'Синий', imageId })).error()).toMatchObject({ status: 404 })
    const wordy = await anna.send(thread, { content: 'Синий', imageId, modelId: 'fast' })
    expect(await wordy.error()).toMatchObject({ status: 400, field: 'imageId' })
    await anna.call(imagesApi.delete, { params: { id: imageId } })
    expect(await (await anna.send(thread, { content: 'Синий', imageId })).error()).toMatchObject({ status: 404 })
    await chat.app.db
      .update(models)
      .set({ imageSkills: { ...usualImageSkills('openai', ''), changes: false } })
      .where(eq(models.id, 'brush'))
    const unable = await anna.send(thread, { content: 'Синий', imageId })
    expect(await unable.error()).toMatchObject({ status: 400, field: 'modelId' })
    expect((await anna.read(thread)).Messages).toHaveLength(2)
    expect(await balance()).toEqual(before)
  })

  test('a fork keeps the image that a question changes (S10.838)', async () => {
    const { thread, imageId } = await drawn()
    const message = await (await anna.send(thread, { content: 'Синий', imageId })).message()
    const fork = await anna.call(threadsApi.fork, { params: { id: thread }, body: { messageId: message.id } })
    expect((await anna.read(fork.id)).Messages.map((one) => one.imageId ?? null)).toEqual([null, null, imageId, null])
  })

  test('unfinished images of an answer are shown under its id (S10.829)', async () => {
    const thread = await easel()
    const events: TopicEvent[] = []
    const unlisten = chat.app.bus.listen((sent) => {
      if (sent.type === 'event' && sent.userId === anna.user.id) events.push(sent.event)
    })
    chat.provider.play(drawsInParts(image, image))
    const reading = await anna.send(thread, { content: 'Кот' })
    const message = await reading.message()
    await expect.poll(() => events.filter(({ type }) => type === 'partial')).toHaveLength(1)
    unlisten()
    expect(events.find(({ type }) => type === 'partial')).toMatchObject({
      topic: 'images',
      data: { id: message.id, url: expect.stringMatching(/^data:image\/webp;base64,/) },
    })
  })
})
