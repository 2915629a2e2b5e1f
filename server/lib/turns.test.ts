import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

/** Work that ends when the test says so. */
function works() {
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  return {
    begun,
    work: (id: number) => () => {
      begun.push(id)
      return new Promise<number>((done) => ends.set(id, () => done(id)))
    },
    end: async (id: number) => {
      ends.get(id)?.()
      await pause(0)
    },
  }
}

test('so much at once, the rest in the order of arrival', async () => {
  const inTurn = createTurns({ atOnce: 2, patienceMs: 60_000 })
  const { begun, work, end } = works()
  const all = [1, 2, 3, 4].map((id) => inTurn(work(id)))
  await pause(0)
  expect(begun).toEqual([1, 2])
  await end(2)
  expect(begun).toEqual([1, 2, 3])
  await end(1)
  expect(begun).toEqual([1, 2, 3, 4])
  await end(3)
  await end(4)
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4])
})

test('what fails gives its turn on', async () => {
  const inTurn = createTurns({ atOnce: 1, patienceMs: 60_000 })
  const failed = inTurn(async () => {
    throw new Error('no')
  })
  const next = inTurn(async () => 'next')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('next')
  expect(await inTurn(async () => 'later')).toBe('later')
})

test('work that is slow holds up the others only for a while', async () => {
  const inTurn = createTurns({ atOnce: 1, patienceMs: 20 })
  const { work, end } = works()
  const slow = inTurn(work(1))
  expect(await inTurn(async () => 'second')).toBe('second')
  await end(1)
  expect(await slow).toBe(1)
})
