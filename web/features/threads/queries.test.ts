import { expect, test } from 'vitest'
import { sendAll } from './queries.ts'

const outcomes = () => {
  const done: number[] = []
  const failed: number[] = []
  return { done, failed, on: { onDone: (n: number) => done.push(n), onFailed: (n: number) => failed.push(n) } }
}

test('calls run four at a time', async () => {
  let running = 0
  let most = 0
  const { done, on } = outcomes()
  await sendAll(
    Array.from({ length: 20 }, (_, i) => i),
    async (n) => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running -= 1
      return n
    },
    on,
  )
  expect(most).toBe(4)
  expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i))
})

test('an error does not stop other calls and is thrown last', async () => {
  const { done, failed, on } = outcomes()
  const send = async (n: number) => {
    if (n === 2) throw new Error('Нет связи')
    return n
  }
  await expect(sendAll([1, 2, 3], send, on)).rejects.toThrow('Нет связи')
  expect(done).toEqual([1, 3])
  expect(failed).toEqual([2])
})
