import { expect, test } from 'vitest'
import { costToContinue, spendable } from './spendable.ts'

test('one’s own limit of a day bounds what can be spent', () => {
  expect(spendable({ availableTokens: 500, dailyCap: null, spentToday: 900 })).toBe(500)
  expect(spendable({ availableTokens: 500, dailyCap: 1000, spentToday: 900 })).toBe(100)
  expect(spendable({ availableTokens: 500, dailyCap: 1000, spentToday: 1200 })).toBe(0)
})

test('going on costs the question once more, with what was answered so far', () => {
  const parts = {
    question: 10,
    history: 20,
    historyMessages: 1,
    cutMessages: 0,
    instructions: 0,
    files: 5,
    passages: 0,
  }
  expect(costToContinue({ parts, content: 'а'.repeat(65) }, { inputRate: 2, outputRate: 3 })).toBe(203)
})
