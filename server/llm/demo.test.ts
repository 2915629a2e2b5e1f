import { expect, test } from 'vitest'
import { demoAnswer, demoLlm, demoThought } from './demo.ts'
import type { LlmMessage } from './llm.ts'

const question = (): LlmMessage[] => [{ role: 'user', content: 'Сколько будет дважды два?' }]

test('the demo thinks only on request, and as long as requested (S10.380)', () => {
  const [more, most] = [demoThought(question(), 'more'), demoThought(question(), 'most')]
  expect(more).toContain('Это демонстрация размышлений')
  expect(more).toContain('«Сколько будет дважды два?»')
  expect(most.length).toBeGreaterThan(more.length + 200)
  for (const thinking of [undefined, 'none', 'usual'] as const) expect(demoThought(question(), thinking)).toBe('')
})

test('the demo names itself; only admins read how to connect a model (S10.613)', () => {
  const [toUser, toAdmin] = [demoAnswer(question()), demoAnswer(question(), true)]
  for (const answer of [toUser, toAdmin]) expect(answer).toContain('демонстрационная модель')
  expect(toUser).toContain('подключает владелец')
  expect(toUser).not.toMatch(/[A-Z]{3}|\/admin/)
  expect(toAdmin).toContain('`OPENAI_API_KEY`')
  expect(toAdmin).toContain('(/help/owners/providers)')
})

test('the demo thinks before it answers, in messages that disappear (S10.380)', async () => {
  const messages = question()
  const written: string[] = []
  const onThought = (text: string) => {
    messages.length = 0
    written.push(text)
  }
  const request = { model: 'demo', messages, thinking: 'more' as const, onThought }
  const end = await demoLlm(request, new AbortController().signal, (text) => written.push(text))
  expect(written.join('')).toMatch(/^Это демонстрация размышлений.*Вы написали: «Сколько будет дважды два\?»/s)
  expect(end).toEqual({ reason: 'stop', usage: null })
})
