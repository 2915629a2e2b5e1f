import { expect, test } from 'vitest'
import type { Scan } from '#contract/scans.ts'
import { actionLabel, failedPages, progressLabel } from './scan-labels.ts'

const scan: Scan = {
  ...{ fileId: 'f', state: 'offered', pages: 12, read: 0, failed: [], left: 12, pagePrice: 1500, price: 18_000 },
  ...{ refusal: null, error: null, charged: 0 },
}
const plain = (text: string) => text.replace(/\s/g, ' ')

test('the button says what it does and what it costs (S10.750)', () => {
  expect(plain(actionLabel(scan))).toBe('Прочитать: до 18 000 символов')
  const failed = [{ number: 3, error: 'нет' }]
  expect(actionLabel({ ...scan, state: 'stopped', read: 11, failed, price: 1500 })).toMatch(/^Повторить/)
  expect(actionLabel({ ...scan, state: 'stopped', read: 5, error: 'нет символов' })).toMatch(/^Продолжить/)
})

test('progress and failed pages are said in words (S10.755)', () => {
  expect(progressLabel({ read: 5, pages: 12 })).toBe('Прочитано 5 из 12')
  const many = Array.from({ length: 10 }, (_, n) => ({ number: n + 1, error: 'Темно.' }))
  expect(failedPages([...many, { number: 40, error: 'Пусто.' }])).toEqual([
    ...['Стр. 1, 2, 3, 4, 5, 6, 7, 8 и ещё 2: Темно.', 'Стр. 40: Пусто.'],
  ])
})
