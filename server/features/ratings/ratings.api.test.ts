import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type Rating, ratingsApi } from '#contract/ratings.ts'
import { type Message, threadsApi } from '#contract/threads.ts'
import { modelCalls, ratings, threads, users } from '#server/db/schema.ts'
import { testApp } from '#server/testing/app.ts'
import { aMessage, aThread } from '#server/testing/builders.ts'
import { readStatistics } from '../statistics/statistics.ts'

const app = await testApp()
const anna = await app.signIn()
const owner = await app.signIn('owner@example.test')

const bad = (comment = ''): Rating => ({ verdict: 'bad', reason: 'wrong', comment })
const good: Rating = { verdict: 'good' }

/** A question with two versions of its answer. */
async function anExchange(modelId: string, who = anna) {
  const thread = await aThread(app.db, who.user.id)
  const question = await aMessage(app.db, thread, { role: 'user', content: 'Тайный вопрос' })
  const version = { role: 'assistant' as const, content: 'Тайный ответ', parentId: question.id, modelId }
  const first = await aMessage(app.db, thread, version)
  const second = await aMessage(app.db, thread, version)
  await app.db.update(threads).set({ currentLeafId: second.id }).where(eq(threads.id, thread.id))
  return { id: thread.id, question: question.id, first: first.id, second: second.id }
}

const rate = (id: string, messageId: string, rating: Rating, who = anna) =>
  who.call(ratingsApi.rate, { params: { id, messageId }, body: { rating } })
const takeBack = (id: string, messageId: string) => anna.call(ratingsApi.takeBack, { params: { id, messageId } })
const ofModel = (id: string) => owner.call(ratingsApi.ofModel, { params: { id } })
const shown = async (id: string): Promise<Message['rating']> =>
  (await anna.call(threadsApi.get, { params: { id }, query: {} })).Messages.at(-1)?.rating

test('an answer has a single changeable rating per person (S10.225)', async () => {
  const { id, first, second } = await anExchange('m-one')
  await rate(id, second, good)
  expect(await shown(id)).toEqual(good)
  await Promise.all([rate(id, second, bad('Не та дата')), rate(id, second, bad('Не та дата'))])
  expect(await shown(id)).toEqual(bad('Не та дата'))
  await rate(id, first, good)
  expect(await app.db.$count(ratings, eq(ratings.modelId, 'm-one'))).toBe(2)
  expect(await takeBack(id, second)).toEqual({ rating: null })
  expect(await shown(id)).toBeNull()
  expect(await takeBack(id, second)).toEqual({ rating: null })
})

test('only own finished answers are rated, and bad ratings need reasons (S10.225)', async () => {
  const { id, question, second } = await anExchange('m-rules')
  const boris = await app.signIn()
  await expect(rate(id, second, good, boris)).rejects.toMatchObject({ status: 404 })
  const theirs = await anExchange('m-rules', boris)
  await expect(rate(id, theirs.second, good)).rejects.toMatchObject({ status: 404 })
  await expect(takeBack(id, theirs.second)).rejects.toMatchObject({ status: 404 })
  await expect(rate(id, question, good)).rejects.toMatchObject({ status: 400 })
  for (const rating of [
    { verdict: 'bad' },
    { verdict: 'bad', reason: 'x' },
    { verdict: 'good', comment: 'x' },
    bad('я'.repeat(501)),
  ]) {
    await expect(rate(id, second, rating as Rating)).rejects.toMatchObject({ status: 400 })
  }
  const running = {
    role: 'assistant',
    content: '',
    parentId: question,
    modelId: 'm-rules',
    status: 'streaming',
  } as const
  const run = { hold: 'h', offset: 0, input: 0, inputRate: 1, outputRate: 1 }
  const [thread] = await app.db.select().from(threads).where(eq(threads.id, id))
  if (!thread) throw new Error('no thread')
  const writing = await aMessage(app.db, thread, { ...running, run })
  await expect(rate(id, writing.id, good)).rejects.toMatchObject({ status: 409 })
  expect(await app.db.$count(ratings, eq(ratings.modelId, 'm-rules'))).toBe(0)
})

test('the owner sees a model’s shares, reasons and comments, never people (S10.226)', async () => {
  const chats = await Promise.all(Array.from({ length: 4 }, () => anExchange('m-owner')))
  const [one, two, three, four] = chats
  if (!one || !two || !three || !four) throw new Error('four chats')
  await rate(one.id, one.second, good)
  await rate(two.id, two.second, bad('Перепутаны годы'))
  await rate(three.id, three.second, { verdict: 'bad', reason: 'too_long', comment: '' })
  await rate(four.id, four.second, bad())
  await takeBack(four.id, four.second)
  const seen = await ofModel('m-owner')
  expect(seen).toMatchObject({
    good: 1,
    bad: 2,
    reasons: [
      { reason: 'wrong', count: 1 },
      { reason: 'too_long', count: 1 },
    ],
    comments: [{ reason: 'wrong', comment: 'Перепутаны годы' }],
  })
  expect(JSON.stringify(seen)).not.toMatch(new RegExp(`Тайный|${anna.user.id}|${anna.user.email}`))
  await app.db.insert(modelCalls).values({ kind: 'answer', userHash: 1n, modelId: 'm-owner', status: 'complete' })
  const { models } = await readStatistics(app, {})
  expect(models.find(({ id }) => id === 'm-owner')?.ratings).toEqual({ good: 1, bad: 2, reasons: seen.reasons })
  await expect(anna.call(ratingsApi.ofModel, { params: { id: 'm-owner' } })).rejects.toMatchObject({ status: 403 })
})

/** Makes the ratings of a model a day old and sums that day. */
async function sumYesterday(modelId: string) {
  await app.db
    .update(ratings)
    .set({ createdAt: sql`${ratings.createdAt} - interval '1 day'` })
    .where(eq(ratings.modelId, modelId))
  await app.db.execute(sql`select stat_sum_day(money_day(now() - interval '1 day'))`)
}

test('a rating changed or withdrawn later counts as it is now (S10.226)', async () => {
  const [one, two] = [await anExchange('m-later'), await anExchange('m-later')]
  await rate(one.id, one.second, good)
  await rate(two.id, two.second, good)
  await sumYesterday('m-later')
  expect(await ofModel('m-later')).toMatchObject({ good: 2, bad: 0 })
  await rate(one.id, one.second, bad())
  await takeBack(two.id, two.second)
  expect(await ofModel('m-later')).toMatchObject({ good: 0, bad: 1 })
})

test('deleting a chat deletes its ratings, but not their counts (S10.227)', async () => {
  const boris = await app.signIn()
  const borisChat = await anExchange('m-gone', boris)
  await rate(borisChat.id, borisChat.second, bad('Слова Бориса'), boris)
  const annaChat = await anExchange('m-gone')
  await rate(annaChat.id, annaChat.second, bad('Слова Анны'))
  const exported = (await (await anna.fetch(`/api/users/${anna.user.id}/export`)).json()) as { ratings: unknown[] }
  expect(exported.ratings).toContainEqual(
    expect.objectContaining({ messageId: annaChat.second, comment: 'Слова Анны' }),
  )
  await sumYesterday('m-gone')
  await app.db.delete(threads).where(eq(threads.id, annaChat.id))
  await app.db.delete(users).where(eq(users.id, boris.user.id))
  expect(await app.db.$count(ratings, eq(ratings.modelId, 'm-gone'))).toBe(0)
  expect(await ofModel('m-gone')).toEqual({ good: 0, bad: 2, reasons: [{ reason: 'wrong', count: 2 }], comments: [] })
})
