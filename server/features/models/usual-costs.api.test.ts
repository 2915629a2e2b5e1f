import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { modelsApi } from '#contract/models.ts'
import { models } from '#server/db/schema.ts'
import { grant, spend } from '#server/features/billing/ledger.ts'
import { type SignedIn, testApp } from '#server/testing/app.ts'
import { createUsualCosts } from './usual-costs.ts'

const app = await testApp()

let lastKey = 0

/** Charges answers of these lengths, each with a question of 100 symbols, at a rate of 1. */
async function charge({ user }: SignedIn, modelId: string, lengths: number[]) {
  await grant(app.db, { key: `usual-gift:${++lastKey}`, userId: user.id, kind: 'gift', symbols: 1_000_000 })
  for (const output of lengths) {
    const key = `usual:${++lastKey}`
    const details = { modelId, input: 100, output, inputRate: 1, outputRate: 1 }
    await spend(app.db, { key, userId: user.id, kind: 'answer', symbols: 100 + output, ...details })
  }
}

async function aModel(id: string) {
  await app.db.insert(models).values({ id, name: id, provider: 'demo', providerModel: 'demo' })
  return id
}

/** With an empty cache, like a new process. */
const costsOf = async ({ user }: SignedIn, modelId: string) => {
  const costs = await createUsualCosts()({ db: app.db, user })
  return costs.find((cost) => cost.modelId === modelId)
}

test('own answers give the usual lengths and average price of a model (S10.160)', async () => {
  const modelId = await aModel('own-usual')
  const anna = await app.signIn()
  await charge(anna, modelId, [100, 200, 300, 400, 500])
  expect(await costsOf(anna, modelId)).toEqual({ modelId, answer: { low: 200, high: 400 }, exchange: 400 })
})

test('a user with few answers sees the averages of everybody (S10.160)', async () => {
  const modelId = await aModel('shared-usual')
  const [anna, boris] = [await app.signIn(), await app.signIn()]
  await charge(anna, modelId, Array(19).fill(1000))
  expect(await costsOf(boris, modelId)).toBeUndefined()
  await charge(boris, modelId, [2000, 2000])
  expect(await costsOf(boris, modelId)).toMatchObject({ answer: { low: 1000, high: 1000 } })
  await charge(boris, modelId, [2000, 2000, 2000])
  expect(await costsOf(boris, modelId)).toMatchObject({ answer: { low: 2000, high: 2000 }, exchange: 2100 })
})

test('a hidden model is not named', async () => {
  const modelId = await aModel('hidden-usual')
  const anna = await app.signIn()
  await charge(anna, modelId, [10, 10, 10, 10, 10])
  await app.db.update(models).set({ hidden: true }).where(eq(models.id, modelId))
  expect(await costsOf(anna, modelId)).toBeUndefined()
})

test('the call needs a session, and everybody’s averages live ten minutes', async () => {
  const anna = await app.signIn()
  expect(await anna.call(modelsApi.usualCosts, {})).toBeInstanceOf(Array)
  let time = 0
  const read = createUsualCosts(() => time)
  const modelId = await aModel('cached-usual')
  const boris = await app.signIn()
  const ask = async () => {
    const costs = await read({ db: app.db, user: boris.user })
    return costs.some((cost) => cost.modelId === modelId)
  }
  expect(await ask()).toBe(false)
  await charge(anna, modelId, Array(20).fill(50))
  expect(await ask()).toBe(false)
  time = 11 * 60_000
  expect(await ask()).toBe(true)
})
