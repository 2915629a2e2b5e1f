import { expect, test } from 'vitest'
import type { DisputeDetails } from '#contract/disputes.ts'
import { aTransaction } from '#web/testing/samples.ts'
import { outcomeLabel } from './dispute-labels.ts'

const dispute: DisputeDetails = {
  id: 'd1',
  status: 'returned',
  reason: 'Оборвался',
  answer: null,
  returned: 40,
  createdAt: '2026-11-15T09:00:00.000Z',
  decidedAt: '2026-11-15T10:00:00.000Z',
  decidedBy: 'owner@example.test',
  user: { id: 'u1', email: 'anna@example.test', name: 'Анна' },
  entry: aTransaction({ disputed: true }),
  messageStatus: 'interrupted',
  model: 'Быстрая',
}
test('a partial return shows the returned and the whole amount', () => {
  expect(outcomeLabel(dispute)).toBe('40 из 112')
  expect(outcomeLabel({ ...dispute, returned: 112 })).toBe('112')
  expect(outcomeLabel({ ...dispute, status: 'refused', returned: null })).toBeNull()
})
