import { expect, test } from 'vitest'
import { applyTryEvent, newTurn, type Turn, toTryMessages } from './use-try-out.ts'

const done = (id: number, question: string, answer: string): Turn => ({
  ...newTurn(id, question),
  answer,
  isWriting: false,
})

test('a turn grows with each chunk and ends with its cost', () => {
  let turn = newTurn(1, 'Вопрос')
  turn = applyTryEvent(turn, { type: 'delta', offset: 4, text: 'Раз ' })
  turn = applyTryEvent(turn, { type: 'delta', offset: 7, text: 'два' })
  expect(turn).toMatchObject({ answer: 'Раз два', isWriting: true })
  const failed = applyTryEvent(turn, { type: 'error', status: 502, code: 'model_failed', message: 'Модель занята' })
  expect(failed).toMatchObject({ answer: 'Раз два', error: 'Модель занята', isWriting: false })
})

test('only answered turns are sent as history', () => {
  const failed = { ...done(2, 'Два', 'по'), error: 'Сломалось' }
  expect(toTryMessages([done(1, 'Раз', 'Один'), failed], 'Три')).toEqual([
    { role: 'user', content: 'Раз' },
    { role: 'assistant', content: 'Один' },
    { role: 'user', content: 'Три' },
  ])
})

test('the history is limited to what the server accepts', () => {
  const turns = Array.from({ length: 30 }, (_, i) => done(i, `Вопрос ${i}`, 'Да'))
  const messages = toTryMessages(turns, 'Ещё')
  expect(messages).toHaveLength(19)
  expect(messages[0]?.content).toBe('Вопрос 21')
})
