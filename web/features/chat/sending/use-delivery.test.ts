import { expect, test } from 'vitest'
import { waitingLabel } from './use-delivery.ts'

test('the number of waiting messages is in correct Russian', () => {
  expect(waitingLabel(0)).toBeUndefined()
  expect(waitingLabel(1)).toBe('Ждёт отправки: 1 сообщение.')
  expect(waitingLabel(3)).toBe('Ждут отправки: 3 сообщения.')
})
