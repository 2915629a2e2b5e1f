import { expect, test } from 'vitest'
import { demoAnswer } from '#server/llm/demo.ts'
import { writeTitleRequest } from '#server/llm/title-request.ts'
import { cleanTitle, cutExchange } from './title-text.ts'

test.each([
  ['Ужин на двоих', 'Ужин на двоих'],
  ['«Ужин на двоих»', 'Ужин на двоих'],
  ['"Ужин на двоих."', 'Ужин на двоих'],
  ['«Ужин».', 'Ужин'],
  ['  “Dinner”\n', 'Dinner'],
  ['**Ужин**', 'Ужин'],
  ['# Ужин', 'Ужин'],
  ['Название: Ужин', 'Ужин'],
  ['Ужин\nна двоих\r\n', 'Ужин на двоих'],
  ['Ужин\u0000 на двоих', 'Ужин на двоих'],
  ['Разбор «Войны и мира»', 'Разбор «Войны и мира»'],
  ['«Война» и «Мир»', '«Война» и «Мир»'],
  ['Жду…', 'Жду…'],
  ['И так далее...', 'И так далее...'],
  ['Что такое C#?', 'Что такое C#?'],
  ['«».', ''],
  [' \n ', ''],
])('what a model said as %j becomes the title %j', (said, title) => {
  expect(cleanTitle(said)).toBe(title)
})

test('a long title ends with a whole word within 80 symbols', () => {
  const title = cleanTitle('Как приготовить ужин на двоих из того, что нашлось в холодильнике после долгих праздников')
  expect(title).toBe('Как приготовить ужин на двоих из того, что нашлось в холодильнике после долгих')
})

test('a word without an end is cut, and no emoji in two', () => {
  expect(cleanTitle('я'.repeat(200))).toBe('я'.repeat(80))
  expect(cleanTitle(`${'я'.repeat(79)}🦔`)).toBe('я'.repeat(79))
})

const words = (count: number, word: string) => Array.from({ length: count }, () => word).join(' ')
const formatCount = (text: string) => text.split(' ').filter(Boolean).length

test('of the first exchange 250 words are shown, and the answer is always among them', () => {
  const long = cutExchange({ question: words(400, 'вопрос'), answer: words(400, 'ответ') })
  expect([formatCount(long.question), formatCount(long.answer)]).toEqual([150, 100])
  const short = cutExchange({ question: 'Как дела?', answer: words(400, 'ответ') })
  expect([short.question, formatCount(short.answer)]).toEqual(['Как дела?', 248])
  expect(cutExchange({ question: 'я'.repeat(100_000), answer: '' }).question.length).toBeLessThan(5000)
})

const named = (question: string) => demoAnswer(writeTitleRequest('Сократи', { question, answer: 'Это демонстрация' }))

test('the demo names a thread by the first words of its question, whatever the naming prompt says', () => {
  expect(named('Как сварить борщ на мясном бульоне?')).toBe('Как сварить борщ на мясном')
  expect(named('Привет!')).toBe('Привет')
  expect(named('')).toBe('')
})

test('asked for anything else, the demo says that it is one, also to who asks for a name', () => {
  const asked = { role: 'user', content: 'Придумай название беседы' } as const
  for (const messages of [[asked], [{ role: 'system', content: 'Придумывай названия' } as const, asked]]) {
    expect(demoAnswer(messages)).toContain('демонстрационная модель')
  }
})
