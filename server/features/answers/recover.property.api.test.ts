import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { price } from '#contract/billing.ts'
import { type AnswerRun, holds, messages, threads } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { type SignedIn, startTestApp, type TestApp } from '#server/testing/app.ts'
import { endInstance, registerInstance } from '#server/testing/instance.ts'
import { propertyRuns } from '#server/testing/property-runs.ts'
import '#server/testing/property-seed.ts'
import { reconcile } from '../billing/invariants.ts'
import { extend } from '../billing/ledger.ts'
import { lowerRates } from '../billing/meter.ts'
import { holdAndStore } from './begin.ts'
import { chargeFor } from './finish.ts'
import { createAnswerRecovery } from './recover.ts'
import { changeModel, endRun, storeChunks } from './rows.ts'

let app: TestApp
let anna: SignedIn
beforeAll(async () => {
  app = await startTestApp({ startSymbols: 10_000_000 })
  anna = await app.signIn()
})
afterAll(() => app.close())

const rate = fc.constantFrom(0, 0.1, 1, 2.5, 10)
const rates = fc.record({ inputRate: rate, outputRate: rate })
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('say' as const), symbols: fc.integer({ min: 1, max: 900 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('store' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fallback' as const), rates }) },
)
/** A run of an answer and the point at which its process dies: after any of its steps, or after its end. */
const run = fc.record({
  input: fc.integer({ min: 0, max: 5000 }),
  rates,
  steps: fc.array(step, { maxLength: 12 }),
  finishes: fc.boolean(),
})
const life = fc.array(run, { minLength: 1, maxLength: 3 })
type Plan = typeof run extends fc.Arbitrary<infer Value> ? Value : never

/** Executes one run with the statements of the engine; returns the text that it has stored. */
async function executeRun(threadId: string, id: string, begun: string, plan: Plan, instance: string) {
  const { db } = app
  const run: AnswerRun = { hold: `answer:${id}:${newId()}`, offset: begun.length, input: plan.input, ...plan.rates }
  const isContinued = begun !== '' || (await db.$count(messages, eq(messages.id, id))) > 0
  const parts = {
    question: 0,
    history: 0,
    historyMessages: 0,
    cutMessages: 0,
    instructions: 0,
    files: 0,
    passages: 0,
    personal: 0,
  }
  const storedQuestion = { id: `${id}-q`, parentId: null }
  const question = isContinued ? storedQuestion : { ...storedQuestion, content: 'Скажи', fileIds: [] }
  const answer = { id, isContinued, parts, citations: [], run }
  const start = { userId: anna.user.id, threadId, modelId: 'demo', kind: 'answer', question, answer, instance } as const
  const { outcome } = await holdAndStore(db, start, price(plan.input, 1000, run))
  expect(outcome).toBe('held')
  let [text, stored] = [begun, begun.length]
  for (const action of plan.steps) {
    if (action.do === 'say') {
      text += 'я'.repeat(action.symbols)
      await extend(db, run.hold, price(run.input, text.length - run.offset, run))
    } else if (action.do === 'fallback') {
      Object.assign(run, lowerRates(run, action.rates))
      await changeModel(db, id, run, 'demo')
    } else if (text.length > stored) {
      await storeChunks(db, [{ id, hold: run.hold, at: stored, upto: text.length, text: text.slice(stored) }])
      stored = text.length
    }
  }
  if (!plan.finishes) return { left: text.slice(0, stored), run }
  const output = text.length - begun.length
  const settle = {
    type: 'charge' as const,
    key: run.hold,
    symbols: chargeFor(run, output),
    details: { messageId: id },
  }
  await endRun(db, {
    ...{ id, run, content: text, status: 'complete', modelId: 'demo', errorCode: null, errorMessage: null },
    ...{ firstTokenMs: 1, totalMs: 1, output, cost: {}, settle, isEarlyStop: false },
  })
  return { left: text, run }
}

test('recovery after any crash charges exactly the stored text', async () => {
  await fc.assert(
    fc.asyncProperty(life, async (runs) => {
      const { db, hub, log } = app
      const [threadId, id] = [newId(), newId()]
      await db.insert(threads).values({ id: threadId, userId: anna.user.id, title: 'Беседа' })
      let begun = ''
      let charged = 0
      for (const plan of runs) {
        const { id: instance } = await registerInstance(db)
        const { left, run } = await executeRun(threadId, id, begun, plan, instance)
        await endInstance(db, instance)
        const recover = createAnswerRecovery({ db, publish: hub.publish, log })
        expect(await recover()).toBe(plan.finishes ? 0 : 1)
        charged += chargeFor(run, left.length - begun.length)
        begun = left
        const [row] = await db.select().from(messages).where(eq(messages.id, id))
        expect(row).toMatchObject({ content: left, status: plan.finishes ? 'complete' : 'interrupted', run: null })
        expect(row?.charged).toBe(charged)
        expect(await db.$count(holds, eq(holds.state, 'active'))).toBe(0)
      }
      expect(await reconcile(db)).toEqual([])
    }),
    { numRuns: propertyRuns(60) },
  )
}, 120_000)
