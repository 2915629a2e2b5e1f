import { expect, test } from 'vitest'
import type { Transaction } from '#contract/transactions.ts'
import { aTransaction } from '#web/testing/samples.ts'
import { canDispute, disputeLabel, explainOperation, operationTitle } from './operation-labels.ts'

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

test('a charge says how much was taken and what is left', () => {
  expect(explain(answer)).toBe('Списано 2 270 символов; осталось 58 760')
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

test('a refund is named so, a withdrawal by an admin not (S10.1456)', () => {
  const back = aTransaction({ kind: 'take_back', symbols: -200_000, balanceAfter: 0, amount: -990, currency: 'BYN' })
  expect(operationTitle(back)).toBe('Возврат покупки')
  expect(explain(back)).toBe('С баланса ушло 200 000 символов, деньги: 9,90 BYN; осталось 0')
  expect(operationTitle({ ...back, amount: null, currency: null })).toBe('Символы забраны')
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
