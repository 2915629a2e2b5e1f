import { and, eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { usersApi } from '#contract/users.ts'
import { ledger } from '#server/db/schema.ts'
import { says, saysSlowly } from '#server/llm/testing/fake-openai.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { startChat } from './testing/chat.ts'

const chat = await closeAfterTests(startChat())
beforeEach(() => chat.provider.play(says('Привет', ', ', 'мир')))
afterAll(async () => expect(await reconcile(chat.app.db)).toEqual([]))

const lastRequest = () => chat.provider.received.at(-1)

describe('running out of symbols', () => {
  const poor = async (symbols: number) => {
    const anna = await chat.person()
    const owner = await chat.person('owner@example.test')
    const gift = (amount: number) =>
      owner.post(`/api/users/${anna.user.id}/gift`, { symbols: amount, reason: 'для проверки' })
    await gift(symbols - 20_000)
    return { anna, gift }
  }

  test('with an empty balance the message is a 402, not stored', async () => {
    const { anna } = await poor(0)
    const thread = await anna.newThread()
    const reading = await anna.send(thread, { content: 'Скажи' })
    expect(await reading.error()).toMatchObject({
      status: 402,
      code: 'out_of_symbols',
      message: 'Закончились символы в подписке',
    })
    expect((await anna.read(thread)).Messages).toEqual([])
  })

  test('the answer ends with the last symbol and continues after a top-up (S10.10)', async () => {
    const { anna, gift } = await poor(9)
    const thread = await anna.newThread()
    const reading = await anna.send(thread, { content: 'Скажи' })
    const message = await reading.message()
    expect(message).toMatchObject({ content: 'Прив', status: 'out_of_symbols', charged: 9 })
    expect(reading.events.at(-1)).toMatchObject({ SingleSubscription: { availableTokens: 0, active: false } })
    expect(lastRequest()).toMatchObject({ max_completion_tokens: 4 })

    await gift(100)
    chat.provider.play(says('ет, ', 'мир'))
    const more = await anna.continue(thread, message.id)
    const whole = await more.message()
    expect(more.started()?.assistant).toMatchObject({ id: message.id, content: 'Прив', status: 'streaming' })
    expect(whole).toMatchObject({ id: message.id, content: 'Привет, мир', status: 'complete' })
    expect(whole.charged).toBe(9 + (5 + 4) + 7)
    expect(whole.output).toBe(4 + 7)
    expect(lastRequest()?.messages.slice(0, 2)).toEqual([
      { role: 'user', content: 'Скажи' },
      { role: 'assistant', content: 'Прив' },
    ])
  })

  test('parallel answers never take the balance below zero (S10.119)', async () => {
    chat.provider.play(saysSlowly(5, ...Array.from({ length: 100 }, () => 'много слов ')))
    const { anna } = await poor(1500)
    const threadIds = await Promise.all([1, 2, 3].map(() => anna.newThread()))
    const readings = await Promise.all(threadIds.map((id) => anna.send(id, { content: 'Скажи' })))
    const answered = readings.filter(({ status }) => status === 200)
    const all = await Promise.all(answered.map((reading) => reading.message()))
    const { SingleSubscription } = await anna.call(usersApi.me, {})
    expect(SingleSubscription.availableTokens).toBe(1500 - all.reduce((sum, { charged }) => sum + charged, 0))
    expect(SingleSubscription.availableTokens).toBeGreaterThanOrEqual(0)
    for (const message of all) expect(message.charged).toBe(5 + message.content.length)
  })
})

test('continuing the same answer twice at once continues it once', async () => {
  const anna = await chat.person()
  const thread = await anna.newThread()
  const message = await (await anna.send(thread, { content: 'Скажи' })).message()
  chat.provider.play(saysSlowly(20, '. И', ' ещё'))
  const both = await Promise.all([anna.continue(thread, message.id), anna.continue(thread, message.id)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  await Promise.all(both.map((reading) => reading.end()))
  const { Messages } = await anna.read(thread)
  expect(Messages.at(-1)?.content).toBe('Привет, мир. И ещё')
  const charged = and(eq(ledger.userId, anna.user.id), eq(ledger.kind, 'answer'))
  expect(await chat.app.db.$count(ledger, charged)).toBe(2)
})
