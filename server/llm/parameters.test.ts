import { expect, test } from 'vitest'
import { rejectedBy } from './errors.ts'
import { createParameterForms } from './parameters.ts'

const HOUR = 3_600_000
const thinking = { name: 'thinking', forms: [{ effort: 'high' }, {}] }

/** A model that refuses `effort`; counts the requests of one question. */
function createModel(now: () => number) {
  const forms = createParameterForms(now)
  return async (model: string) => {
    let requests = 0
    await forms.ask(model, [thinking], async (options) => {
      requests += 1
      if ('effort' in options) throw rejectedBy({ status: 400, text: 'unknown field effort' })
    })
    return requests
  }
}

test('refused parameters are remembered for some hours, then tried again (S10.297)', async () => {
  let now = 0
  const ask = createModel(() => now)
  expect(await ask('m')).toBe(2)
  now = 5 * HOUR
  expect(await ask('m')).toBe(1)
  now = 6 * HOUR + 1
  expect(await ask('m')).toBe(2)
})

test('a limited number of models is remembered, the oldest are forgotten', async () => {
  const ask = createModel(() => 0)
  for (let i = 0; i <= 1000; i += 1) await ask(`model-${i}`)
  expect(await ask('model-1000')).toBe(1)
  expect(await ask('model-0')).toBe(2)
})

test.each([
  rejectedBy({ status: 404, text: 'effort' }),
  rejectedBy({ status: 429, text: 'effort' }),
  rejectedBy({ status: 400, text: 'something else' }),
  new Error('400 effort'),
])('%s refuses no parameter', async (error) => {
  const answering = createParameterForms().ask('m', [thinking], async () => {
    throw error
  })
  await expect(answering).rejects.toBe(error)
})
