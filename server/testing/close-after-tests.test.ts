import { afterAll, expect, test } from 'vitest'
import { closeAfterTests, closeLeftOpen } from './close-after-tests.ts'

const closed: string[] = []
const opening = async (name: string) => ({ close: async () => void closed.push(name) })

// Registered first, so called last.
afterAll(() => expect(closed).toEqual(['second', 'first']))
await closeAfterTests(opening('first'))
await closeAfterTests(opening('second'))

test('everything left open by a file is closed once, the last first', async () => {
  await closeLeftOpen()
  expect(closed).toEqual(['second', 'first'])
  await closeLeftOpen()
  expect(closed).toEqual(['second', 'first'])
})
