import { expect, test } from 'vitest'
import { spendableSymbols } from '#contract/billing.ts'
import { costToContinue, cutMessagesLabel, stoppedLabel } from './answer-cost.ts'

const plain = (text: string) => text.replace(/\s/g, ' ')

test('messages left out of the prompt are counted in correct Russian', () => {
  expect(cutMessagesLabel(0)).toBeNull()
  expect(cutMessagesLabel(1)).toBe('В запрос не вошло 1 раннее сообщение: оно не помещается в модель.')
  expect(cutMessagesLabel(4)).toBe('В запрос не вошли 4 ранних сообщения: они не помещаются в модель.')
  expect(cutMessagesLabel(12)).toBe('В запрос не вошли 12 ранних сообщений: они не помещаются в модель.')
})

test('a stop before the first word shows its cost or is free', () => {
  expect(stoppedLabel({ content: '', earlyStop: { charged: 0, free: 2 } })).toBe(
    'Ответ остановлен до первого слова. Бесплатная остановка 2 из 3 за сегодня.',
  )
  expect(plain(stoppedLabel({ content: '', earlyStop: { charged: 1240, free: null } }))).toMatch(
    /^Ответ остановлен до первого слова\. Вопрос уже был у модели: списано 1.240 символов\.$/,
  )
  expect(stoppedLabel({ content: 'Да', earlyStop: null })).toBe('Ответ остановлен.')
  expect(stoppedLabel({ content: '' })).toBe('Ответ остановлен.')
})

test('a stop in thought is named so, with its known cost', () => {
  const thought = { text: 'Хм', symbols: 2, ms: 100 }
  expect(stoppedLabel({ content: '', thought })).toBe('Ответ остановлен в размышлениях.')
  expect(stoppedLabel({ content: '', thought, earlyStop: { charged: 0, free: 1 } })).toBe(
    'Ответ остановлен в размышлениях. Бесплатная остановка 1 из 3 за сегодня.',
  )
  expect(stoppedLabel({ content: 'Да', thought })).toBe('Ответ остановлен.')
  expect(stoppedLabel({ content: '', thought: { text: '', symbols: 0, ms: null } })).toBe('Ответ остановлен.')
})

test('the daily limit bounds what can be spent', () => {
  expect(spendableSymbols({ availableTokens: 500, dailyCap: null, spentToday: 900 })).toBe(500)
  expect(spendableSymbols({ availableTokens: 500, dailyCap: 1000, spentToday: 900 })).toBe(100)
  expect(spendableSymbols({ availableTokens: 500, dailyCap: 1000, spentToday: 1200 })).toBe(0)
})

test('continuing costs the question and the answer so far', () => {
  const parts = {
    question: 10,
    history: 20,
    historyMessages: 1,
    cutMessages: 0,
    instructions: 0,
    files: 5,
    passages: 0,
    personal: 0,
  }
  expect(costToContinue({ parts, content: 'а'.repeat(65) }, { inputRate: 2, outputRate: 3 })).toBe(203)
})
