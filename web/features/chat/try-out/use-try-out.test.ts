import { expect, test } from 'vitest'
import { foldTurn, messagesFor, newTurn, type Turn } from './use-try-out.ts'

const done = (id: number, question: string, answer: string): Turn => ({
  ...newTurn(id, question),
  answer,
  isWriting: false,
})

test('a turn grows with each piece and ends with what it cost', () => {
  let turn = newTurn(1, 'Вопрос')
  turn = foldTurn(turn, { type: 'delta', offset: 4, text: 'Раз ' })
  turn = foldTurn(turn, { type: 'delta', offset: 7, text: 'два' })
  expect(turn).toMatchObject({ answer: 'Раз два', isWriting: true })
  const failed = foldTurn(turn, { type: 'error', status: 502, code: 'model_failed', message: 'Модель занята' })
  expect(failed).toMatchObject({ answer: 'Раз два', error: 'Модель занята', isWriting: false })
})

test('what was said goes along, what failed does not', () => {
  const failed = { ...done(2, 'Два', 'по'), error: 'Сломалось' }
  expect(messagesFor([done(1, 'Раз', 'Один'), failed], 'Три')).toEqual([
    { role: 'user', content: 'Раз' },
    { role: 'assistant', content: 'Один' },
    { role: 'user', content: 'Три' },
  ])
})

test('no more goes along than is taken', () => {
  const turns = Array.from({ length: 30 }, (_, i) => done(i, `Вопрос ${i}`, 'Да'))
  const messages = messagesFor(turns, 'Ещё')
  expect(messages).toHaveLength(19)
  expect(messages[0]?.content).toBe('Вопрос 21')
})
