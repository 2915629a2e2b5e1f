import { afterAll, expect, test } from 'vitest'
import { connect } from './connection.ts'
import type { Depth, LlmMessage } from './llm.ts'
import { openAiLlm } from './openai.ts'
import type { ThinkingStyle } from './profile.ts'
import { refuses, type Script, says, startFakeOpenAi } from './testing/fake-openai.ts'

/** What programs choose more finely than the page: how deep a model thinks, what it cached, what it thought. */

const provider = await startFakeOpenAi()
afterAll(() => provider.close())
const signal = new AbortController().signal

const hello: LlmMessage[] = [{ role: 'user', content: 'Привет' }]
const modelOf = (thinking: ThinkingStyle = 'effort') =>
  openAiLlm(connect({ baseUrl: provider.baseUrl, apiKey: 'k', thinking }))

test.each<[Depth, ThinkingStyle, object]>([
  ['low', 'effort', { reasoning_effort: 'low' }],
  ['minimal', 'effort', { reasoning_effort: 'minimal' }],
  ['xhigh', 'effort', { reasoning_effort: 'xhigh' }],
  ['low', 'openrouter', { reasoning: { effort: 'low' } }],
  ['low', 'toggle', { thinking: { type: 'enabled' } }],
  ['minimal', 'toggle', { thinking: { type: 'disabled' } }],
])('the depth %s is sent as %s (S10.1046)', async (thinking, style, sent) => {
  provider.play(says('Да'))
  await modelOf(style)({ model: 'm', messages: hello, thinking }, signal, () => undefined)
  expect(provider.received.at(-1)).toMatchObject(sent)
})

test('a model that knows no minimal thinks as little as it can (S10.1046)', async () => {
  provider.play(refuses(400, { error: { message: "'reasoning_effort' does not support 'minimal'" } }), says('Да'))
  await modelOf()({ model: 'm', messages: hello, thinking: 'minimal' }, signal, () => undefined)
  expect(provider.received.at(-1)).toMatchObject({ reasoning_effort: 'low' })
})

test('the key of a cache is sent, apart for each person (S10.1047)', async () => {
  provider.play(says('Да'))
  const llm = modelOf()
  for (const userId of ['anna', 'anna', 'boris'])
    await llm({ model: 'm', messages: hello, cacheKey: 'session', userId }, signal, () => undefined)
  const [first, second, other] = provider.received.slice(-3).map(({ prompt_cache_key: key }) => key)
  expect([first === second, first === other]).toEqual([true, false])
  expect(first).toMatch(/^[\da-f]{32}$/)
})

test('thoughts go back until a provider refuses the field (S10.1044)', async () => {
  const llm = modelOf()
  const messages: LlmMessage[] = [
    ...hello,
    { role: 'assistant', content: 'Да', thought: 'Думаю' },
    { role: 'user', content: 'А?' },
  ]
  const ask = async (...scripts: Script[]) => {
    provider.play(...scripts)
    await llm({ model: 'm', messages, thinking: 'usual' }, signal, () => undefined)
    return provider.received.at(-1)?.messages[1]
  }
  expect(await ask(says('Да'))).toMatchObject({ reasoning_content: 'Думаю' })
  const unknown = refuses(400, { error: { message: "Unknown parameter: 'messages[1].reasoning_content'." } })
  expect(await ask(unknown, says('Да'))).toEqual({ role: 'assistant', content: 'Да' })
  const asked = provider.received.length
  expect(await ask(says('Да'))).toEqual({ role: 'assistant', content: 'Да' })
  expect(provider.received.length).toBe(asked + 1)
})
