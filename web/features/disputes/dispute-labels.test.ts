import { expect, test } from 'vitest'
import type { DisputeDetails } from '#contract/disputes.ts'
import { aTransaction, inputParts } from '#web/testing/samples.ts'
import { chargeLines, outcomeLabel } from './dispute-labels.ts'

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
  parts: inputParts({ question: 40, history: 50, historyMessages: 2, files: 10 }),
  messageStatus: 'interrupted',
  model: 'Быстрая',
}
const lines = (details: DisputeDetails) => chargeLines(details).map((line) => line.join(' ').replace(/\s/g, ' '))

test('a charge lists question, context, answer and rates', () => {
  expect(lines(dispute)).toEqual([
    'Вопрос 40 символов',
    'Файлы 10 символов',
    'История чата, 2 сообщения 50 символов',
    'Коэффициент вопроса × 1',
    'Ответ 5 символов',
    'Коэффициент ответа × 2,5',
    'Состояние ответа оборвался',
  ])
})

test('thoughts and cached input of a charge are listed with their rates (S10.377)', () => {
  const entry = { ...dispute.entry, thought: 6200, thoughtRate: 0.5, cached: 30, cachedRate: 0.25 }
  expect(lines({ ...dispute, entry })).toEqual(
    expect.arrayContaining([
      'Из них из кэша 30 символов × 0,25',
      'Размышления 6 200 символов',
      'Коэффициент размышлений × 0,5',
    ]),
  )
})

test('the input is a single line when its parts are unknown', () => {
  const translation = { ...dispute.entry, kind: 'translate' as const, inputRate: null, outputRate: null, output: null }
  expect(lines({ ...dispute, parts: null, messageStatus: null, entry: translation })).toEqual(['Вопрос 100 символов'])
})

test('a partial return shows the returned and the whole amount', () => {
  expect(outcomeLabel(dispute)).toBe('40 из 112')
  expect(outcomeLabel({ ...dispute, returned: 112 })).toBe('112')
  expect(outcomeLabel({ ...dispute, status: 'refused', returned: null })).toBeNull()
})
