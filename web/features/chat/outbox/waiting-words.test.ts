import { expect, test } from 'vitest'
import { waitingWords } from './waiting-words.ts'

test('how many messages wait is said in right Russian', () => {
  expect(waitingWords(0)).toBeUndefined()
  expect(waitingWords(1)).toBe('Ждёт отправки: 1 сообщение.')
  expect(waitingWords(3)).toBe('Ждут отправки: 3 сообщения.')
})
