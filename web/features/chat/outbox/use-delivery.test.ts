import { expect, test } from 'vitest'
import { waitingLabel } from './use-delivery.ts'

test('how many messages wait is said in right Russian', () => {
  expect(waitingLabel(0)).toBeUndefined()
  expect(waitingLabel(1)).toBe('Ждёт отправки: 1 сообщение.')
  expect(waitingLabel(3)).toBe('Ждут отправки: 3 сообщения.')
})
