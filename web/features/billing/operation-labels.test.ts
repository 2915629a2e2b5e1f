import { expect, test } from 'vitest'
import type { Transaction } from '#contract/transactions.ts'
import { aTransaction } from '#web/testing/samples.ts'
import { canDispute, disputeLabel, explainOperation } from './operation-labels.ts'

const answer = aTransaction({ symbols: -2270, balanceAfter: 58_760, input: 1240, output: 412 })
const gift: Transaction = {
  ...answer,
  kind: 'gift',
  symbols: 20_000,
  balanceAfter: 20_000,
  input: null,
  output: null,
  inputRate: null,
  outputRate: null,
}
const explain = (operation: Transaction) => explainOperation(operation).replace(/[\u202f\u00a0]/g, ' ')

test('a charge shows its question and answer with their rates', () => {
  expect(explain(answer)).toBe('Вопрос 1 240 символов × 1 + ответ 412 × 2,5 = 2 270; осталось 58 760')
})

test('a charge has terms for paid thoughts and cached input (S10.377)', () => {
  const thinking = { ...answer, thought: 6200, thoughtRate: 0.5, cached: 300, cachedRate: 0.25, symbols: -5145 }
  expect(explain(thinking)).toBe(
    'Вопрос 940 символов × 1 + из кэша 300 × 0,25 + размышления 6 200 × 0,5 + ответ 412 × 2,5 = 5 145; осталось 58 760',
  )
  expect(explain({ ...answer, thought: 6200, thoughtRate: 0 })).toBe(
    'Вопрос 1 240 символов × 1 + ответ 412 × 2,5 = 2 270; осталось 58 760',
  )
})

test('a fractional price is rounded up and says so (S10.2)', () => {
  expect(explain({ ...answer, output: 411, symbols: -2268 })).toBe(
    'Вопрос 1 240 символов × 1 + ответ 411 × 2,5 = 2 267,5, с округлением вверх 2 268; осталось 58 760',
  )
})

test('a rate without an exact binary form is written without extra digits', () => {
  expect(explain({ ...answer, input: 3, inputRate: 0.1, output: 0, outputRate: 0.1, symbols: -1 })).toContain(
    '= 0,3, с округлением вверх 1;',
  )
})

test('a charge below its price says so', () => {
  expect(explain({ ...answer, symbols: -2000, balanceAfter: 0 })).toContain('= 2 270, списано 2 000; осталось 0')
})

test('a credit says how many symbols came and for how much money', () => {
  expect(explain(gift)).toBe('Зачислено 20 000 символов; стало 20 000')
  expect(explain({ ...gift, kind: 'bundle', amount: 1490, currency: 'BYN' })).toBe(
    'Зачислено 20 000 символов за 14,90 BYN; стало 20 000',
  )
})

test('expired and withdrawn symbols are not counted as spending', () => {
  const lost = { ...gift, symbols: -500, balanceAfter: 0 }
  expect(explain({ ...lost, kind: 'expiry' })).toBe('Срок действия вышел, сгорело 500 символов; осталось 0')
  expect(explain({ ...lost, kind: 'chargeback' })).toBe('Забрано 500 символов; осталось 0')
  expect(explain({ ...lost, kind: 'image' })).toBe('Списано 500 символов; осталось 0')
})

test('a charge can be disputed once; credits and expiries cannot', () => {
  expect(canDispute(answer)).toBe(true)
  expect(canDispute({ ...answer, disputed: true })).toBe(false)
  expect(canDispute(gift)).toBe(false)
  expect(canDispute({ ...answer, kind: 'expiry' })).toBe(false)
})

test('a dispute says whether it is open, returned or rejected', () => {
  const dispute = { reason: 'Оборвался', answer: null, returned: null, decidedAt: null }
  expect(disputeLabel({ ...dispute, status: 'open' }).label).toBe('списание оспорено')
  expect(disputeLabel({ ...dispute, status: 'returned', returned: 40 }).label).toBe('возвращено 40')
  expect(disputeLabel({ ...dispute, status: 'refused' }).label).toBe('проверено, ошибки нет')
})
