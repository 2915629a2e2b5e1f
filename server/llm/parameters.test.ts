import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, createParameterForms } from './connection.ts'
import { rejectedBy } from './errors.ts'
import { openAiLlm } from './openai.ts'
import type { ProviderKeys } from './profile.ts'
import { createProviders } from './providers.ts'
import { ask as askLlm } from './testing/ask.ts'
import { refuses, says } from './testing/fake-openai.ts'
import { type FakeProvider, startFakeProvider } from './testing/fake-provider.ts'

const forever = new AbortController().signal
const messages = [{ role: 'user' as const, content: 'Как дела?' }]

describe('a parameter that a model refuses', () => {
  let provider: FakeProvider
  beforeAll(async () => {
    provider = await startFakeProvider({ complaint: () => null, answer: () => undefined, script: says('Да') })
  })
  afterAll(() => provider.close())
  const no = (message: string, status = 400) => refuses(status, { error: { message } })
  const llmWith = (keys: Partial<ProviderKeys> = {}) =>
    openAiLlm(connect({ baseUrl: `${provider.origin}/v1`, apiKey: 'key', ...keys }))
  const parametersOf = (n: number) => {
    const { model: _, messages: __, stream: ___, ...rest } = provider.received[n]?.body ?? {}
    return rest
  }
  const stream_options = { include_usage: true }

  test.each([
    ['usual', 'effort', {}],
    ['none', 'effort', { reasoning_effort: 'none' }],
    ['more', 'effort', { reasoning_effort: 'medium' }],
    ['most', 'effort', { reasoning_effort: 'high' }],
    ['none', 'openrouter', { reasoning: { effort: 'none' } }],
    ['most', 'openrouter', { reasoning: { effort: 'high' } }],
    ['none', 'toggle', { thinking: { type: 'disabled' } }],
    ['more', 'toggle', { thinking: { type: 'enabled' } }],
    ['most', 'off', {}],
  ] as const)('depth «%s» in the style «%s» is %j (S10.296)', async (thinking, style, sent) => {
    provider.play(says('Да'))
    await llmWith({ thinking: style })({ model: 'm', messages, thinking }, forever, () => {})
    expect(parametersOf(0)).toEqual({ stream_options, ...sent })
  })

  test('is left out from then on, for this model only (S10.297)', async () => {
    const llm = llmWith()
    const request = { model: 'plain', messages, thinking: 'most' as const, maxTokens: 9 }
    provider.play(no("Unsupported parameter: 'reasoning_effort' is not supported with this model."), says('Да'))
    let text = ''
    await llm(request, forever, (chunk) => {
      text += chunk
    })
    await llm(request, forever, () => {})
    await llm({ ...request, model: 'other' }, forever, () => {})
    expect(text).toBe('Да')
    const limit = { stream_options, max_completion_tokens: 9 }
    expect([0, 1, 2, 3].map(parametersOf)).toEqual([
      { ...limit, reasoning_effort: 'high' },
      limit,
      limit,
      { ...limit, reasoning_effort: 'high' },
    ])
  })

  test('takes the next form: another word or the old limit name', async () => {
    provider.play(
      no("Unsupported value: 'reasoning_effort' does not support 'none' with this model.", 422),
      no("Unrecognized request argument supplied: max_completion_tokens. Use 'max_tokens'"),
      no('stream_options: Extra inputs are not permitted'),
      says('Да'),
    )
    await llmWith()({ model: 'm', messages, thinking: 'none', maxTokens: 9 }, forever, () => {})
    expect(parametersOf(3)).toEqual({ max_tokens: 9, reasoning_effort: 'minimal' })
  })

  test('is not remembered when leaving it out does not help (S10.297)', async () => {
    const llm = llmWith()
    provider.play(no('Something about reasoning_effort'))
    const answering = llm({ model: 'm', messages, thinking: 'most' }, forever, () => {})
    await expect(answering).rejects.toMatchObject({ kind: 'refused' })
    provider.play(says('Да'))
    await llm({ model: 'm', messages, thinking: 'most' }, forever, () => {})
    expect(parametersOf(0)).toMatchObject({ reasoning_effort: 'high' })
  })

  test('is not a failure: the model is not rested for it (S10.297)', async () => {
    const keys = { name: 'fake', baseUrl: `${provider.origin}/v1`, apiKey: 'key' }
    const providers = createProviders([keys])
    const refuseTwice = [no('reasoning_effort'), no('reasoning_effort'), says('Да')]
    for (const userId of ['anna', 'boris', 'vera']) {
      provider.play(...refuseTwice)
      const request = { model: `m-${userId}`, messages, userId, thinking: 'none' as const }
      expect(await askLlm(providers.llm('fake'), request)).toMatchObject({ text: 'Да' })
    }
    expect(providers.state()).toEqual([])
  })

  test('a limit that is too large is an error, not left out', async () => {
    provider.play(no('max_completion_tokens is too large: 99. This model supports at most 9'))
    await expect(llmWith()({ model: 'm', messages, maxTokens: 99 }, forever, () => {})).rejects.toMatchObject({
      kind: 'refused',
    })
    expect(provider.received).toHaveLength(1)
  })
})

describe('what a program chooses (S10.1017)', () => {
  let provider: FakeProvider
  beforeAll(async () => {
    provider = await startFakeProvider({ complaint: () => null, answer: () => undefined, script: says('Да') })
  })
  afterAll(() => provider.close())
  const no = (message: string) => refuses(400, { error: { message } })
  const request = { model: 'm', messages, maxTokens: 50, sampling: { seed: 7 }, isOfProgram: true }
  const connectLlm = () => openAiLlm(connect({ baseUrl: `${provider.origin}/v1`, apiKey: 'key' }))
  const sentLast = () => provider.received.at(-1)?.body

  test('a value that is too large is an error and teaches nothing', async () => {
    const llm = connectLlm()
    const wrong = [
      "Invalid 'max_completion_tokens': integer above maximum value. Expected a value <= 128000, but got 1000000000 instead.",
      'max_completion_tokens: must be between 1 and 128000',
      "Invalid 'seed': integer above maximum value.",
    ]
    for (const message of wrong) {
      provider.play(no(message), says('Да'))
      const odd = { ...request, userId: 'anna', maxTokens: 1e9, sampling: { seed: 9e15 } }
      expect(await askLlm(llm, odd)).toMatchObject({ error: { kind: 'refused' } })
      provider.play(says('Да'))
      await askLlm(llm, { ...request, userId: 'anna' })
      expect(sentLast()).toMatchObject({ max_completion_tokens: 50, seed: 7 })
    }
  })

  test('what its model does not know is remembered for the caller only', async () => {
    const llm = connectLlm()
    const anna = { ...request, userId: 'anna' }
    provider.play(no('Unrecognized request argument supplied: seed'), says('Да'))
    await askLlm(llm, anna)
    provider.play(says('Да'))
    await askLlm(llm, anna)
    expect(sentLast()).not.toHaveProperty('seed')
    await askLlm(llm, { ...anna, model: 'other' })
    expect(sentLast()).toMatchObject({ seed: 7 })
    await askLlm(llm, { ...request, userId: 'boris' })
    expect(sentLast()).toMatchObject({ seed: 7 })
  })

  test('a value that a model does not want is left out once', async () => {
    const llm = connectLlm()
    const anna = { ...request, userId: 'anna', sampling: { temperature: 1.7 } }
    provider.play(no('temperature must be 1 while the model thinks'), says('Да'))
    expect(await askLlm(llm, anna)).toMatchObject({ text: 'Да' })
    expect(sentLast()).not.toHaveProperty('temperature')
    provider.play(says('Да'))
    await askLlm(llm, anna)
    expect(sentLast()).toMatchObject({ temperature: 1.7 })
  })

  test('knows what the chats of this installation have learned', async () => {
    const llm = connectLlm()
    const { isOfProgram: _, sampling: __, ...chat } = request
    provider.play(no("Unsupported parameter: 'max_completion_tokens'. Use 'max_tokens' instead."), says('Да'))
    await askLlm(llm, { ...chat, userId: 'anna' })
    provider.play(says('Да'))
    await askLlm(llm, { ...request, userId: 'boris' })
    expect(sentLast()).toMatchObject({ max_tokens: 50 })
    expect(sentLast()).not.toHaveProperty('max_completion_tokens')
  })
})

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
