import { expect, test } from 'vitest'
import { stoppedLabel } from './stopped-label.ts'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

test('a stop before the first word says what it cost or that it was free', () => {
  expect(stoppedLabel({ earlyStop: { charged: 0, free: 2 } })).toBe(
    'Ответ остановлен до первого слова. Бесплатная остановка 2 из 3 за сегодня.',
  )
  expect(plain(stoppedLabel({ earlyStop: { charged: 1240, free: null } }))).toMatch(
    /^Ответ остановлен до первого слова\. Вопрос уже был у модели: списано 1.240 символов\.$/,
  )
  expect(stoppedLabel({ earlyStop: null })).toBe('Ответ остановлен.')
  expect(stoppedLabel({})).toBe('Ответ остановлен.')
})
