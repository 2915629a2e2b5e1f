import { eq } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { billingApi } from '#contract/billing.ts'
import { translateApi } from '#contract/translate.ts'
import { ledger, models } from '#server/db/schema.ts'
import { createProviders } from '#server/llm/providers.ts'
import { breaksOff, chunk, refuses, says, startFakeOpenAi, streams } from '#server/llm/testing/fake-openai.ts'
import { memoryLimits, type SignedIn, testApp } from '#server/testing/app.ts'
import { closeAfterTests } from '#server/testing/close-after-tests.ts'
import { reconcile } from '../billing/invariants.ts'
import { balanceOf } from '../billing/ledger.ts'

const provider = await closeAfterTests(startFakeOpenAi())
const providers = createProviders([{ name: 'fake', baseUrl: provider.baseUrl, apiKey: 'k' }])
const app = await testApp({ startSymbols: 3000, deps: { providers, limits: memoryLimits() } })
await app.db.insert(models).values([
  {
    id: 'fast',
    name: 'Быстрая',
    provider: 'fake',
    providerModel: 'gpt-4.1-mini',
    inputRate: 0.1,
    outputRate: 2,
    position: 5,
  },
  { id: 'secret', name: 'Скрытая', provider: 'fake', providerModel: 'hidden-one', hidden: true },
])
afterEach(async () => expect(await reconcile(app.db)).toEqual([]))

const ask = (person: SignedIn, prompt: string, model?: string) =>
  person.call(translateApi.translate, { body: { prompt, ...(model ? { model } : {}) } })
const entriesOf = (userId: string) => app.db.select().from(ledger).where(eq(ledger.userId, userId)).orderBy(ledger.id)

test('an answer is charged by the shared price, with an explaining entry (S10.1, S10.2, S10.42)', async () => {
  const anna = await app.signIn()
  provider.play(says('Hel', 'lo'))
  const answer = await ask(anna, 'Переведи: привет', 'fast')
  expect(answer).toMatchObject({ text: 'Hello', charged: 12, SingleSubscription: { availableTokens: 2988, held: 0 } })
  expect((await entriesOf(anna.user.id)).at(-1)).toMatchObject({
    kind: 'translate',
    symbols: -12,
    modelId: 'fast',
    input: 16,
    output: 5,
    inputRate: 0.1,
    outputRate: 2,
  })
})

test('a missing model means the default, and hidden models do not exist (S10.42)', async () => {
  const anna = await app.signIn()
  provider.play(says('Да'))
  await ask(anna, 'Раз')
  expect(provider.received.at(-1)?.model).toBe('gpt-4.1-mini')
  await ask(anna, 'Два', 'gpt-4.1-mini')
  await expect(ask(anna, 'Три', 'hidden-one')).rejects.toMatchObject({ status: 404 })
  await expect(ask(anna, 'Четыре', 'no-such')).rejects.toMatchObject({ status: 404 })
})

test('failed and empty answers cost nothing (S10.20, S10.42)', async () => {
  const anna = await app.signIn()
  for (const script of [refuses(401), refuses(400), breaksOff(chunk('Полов'))]) {
    provider.play(script)
    await expect(ask(anna, 'Вопрос', 'fast')).rejects.toMatchObject({ status: 502, code: 'model_failed' })
  }
  provider.play(streams(chunk(null, 'stop')))
  expect(await ask(anna, 'Вопрос', 'fast')).toMatchObject({ text: '', charged: 0 })
  expect(await balanceOf(app.db, anna.user.id)).toMatchObject({ availableTokens: 3000, held: 0 })
})

test('an answer longer than the balance stops with the last paid symbol (S10.10, S10.42)', async () => {
  const anna = await app.signIn()
  provider.play(says(...Array.from({ length: 100 }, () => 'я'.repeat(40))))
  const answer = await ask(anna, 'я'.repeat(1000), 'fast')
  expect(answer.text).toHaveLength(1450)
  expect(answer).toMatchObject({ charged: 3000, SingleSubscription: { availableTokens: 0, active: false } })
  await expect(ask(anna, 'Ещё', 'fast')).rejects.toMatchObject({ status: 402, code: 'out_of_symbols' })
})

test('the user’s daily cap stops an answer too (S10.46)', async () => {
  const anna = await app.signIn()
  await anna.call(billingApi.setDailyCap, { body: { dailyCap: 100 } })
  provider.play(says('я'.repeat(500)))
  const answer = await ask(anna, 'я'.repeat(100), 'fast')
  expect(answer).toMatchObject({ charged: 100, text: 'я'.repeat(45) })
  await expect(ask(anna, 'Ещё', 'fast')).rejects.toMatchObject({ status: 402 })
})

test('the last symbol paid for never cuts an emoji in two', async () => {
  const anna = await app.signIn()
  await anna.call(billingApi.setDailyCap, { body: { dailyCap: 16 } })
  provider.play(says('ёж🦔🦔🦔🦔🦔'))
  const answer = await ask(anna, 'я'.repeat(20), 'fast')
  expect(answer).toMatchObject({ text: 'ёж🦔🦔', charged: 14 })
})

test('a model without a configured provider says so and costs nothing', async () => {
  const anna = await app.signIn()
  await app.db.insert(models).values({ id: 'orphan', name: 'Сирота', provider: 'gone', providerModel: 'x' })
  await expect(ask(anna, 'Есть кто?', 'orphan')).rejects.toMatchObject({ status: 502, code: 'model_failed' })
  expect((await balanceOf(app.db, anna.user.id)).held).toBe(0)
})

test('parallel questions never deliver more than was paid for (S10.10)', async () => {
  const anna = await app.signIn()
  provider.play(says(...Array.from({ length: 20 }, () => 'я'.repeat(40))))
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => ask(anna, 'Вопрос', 'fast')))
  const charged = answers.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value.charged : 0), 0)
  const { availableTokens, held } = await balanceOf(app.db, anna.user.id)
  expect(availableTokens).toBe(3000 - charged)
  expect(held).toBe(0)
  for (const result of answers) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 402 })
  }
})

test('asking is limited (S10.42)', async () => {
  const anna = await app.signIn()
  provider.play(says('.'))
  const statuses = await Promise.all(
    Array.from({ length: 32 }, () =>
      ask(anna, '?', 'fast').then(
        () => 200,
        (error) => error.status,
      ),
    ),
  )
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2)
})
