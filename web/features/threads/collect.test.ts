import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { collect } from './collect.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Batch = [string, string][]

test('a burst is handled once, and of each key the last word counts', async () => {
  const batches: Batch[] = []
  const { add } = collect(async (batch: Map<string, string>) => batches.push([...batch]), 300)
  add('a', 'changed')
  add('b', 'changed')
  add('a', 'removed')
  await vi.advanceTimersByTimeAsync(299)
  expect(batches).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(batches).toEqual([
    [
      ['a', 'removed'],
      ['b', 'changed'],
    ],
  ])
})

test('what comes while a batch is handled waits for it and is not lost', async () => {
  const batches: Batch[] = []
  let finish = () => {}
  const { add } = collect(async (batch: Map<string, string>) => {
    batches.push([...batch])
    await new Promise<void>((done) => {
      finish = done
    })
  }, 300)
  add('a', 'changed')
  await vi.advanceTimersByTimeAsync(300)
  add('b', 'changed')
  await vi.advanceTimersByTimeAsync(5000)
  expect(batches).toEqual([[['a', 'changed']]])
  finish()
  await vi.advanceTimersByTimeAsync(300)
  expect(batches).toEqual([[['a', 'changed']], [['b', 'changed']]])
})

test('a batch that fails does not end the handling', async () => {
  const batches: Batch[] = []
  const { add } = collect(async (batch: Map<string, string>) => {
    batches.push([...batch])
    throw new Error('Нет связи')
  }, 300)
  add('a', 'changed')
  await vi.advanceTimersByTimeAsync(300)
  add('b', 'changed')
  await vi.advanceTimersByTimeAsync(300)
  expect(batches).toHaveLength(2)
})

test('after stopping nothing is handled', async () => {
  const handle = vi.fn(async () => {})
  const { add, stop } = collect(handle, 300)
  add('a', 'changed')
  stop()
  await vi.advanceTimersByTimeAsync(1000)
  expect(handle).not.toHaveBeenCalled()
})
