import { expect, test } from 'vitest'
import { createGate } from '#server/testing/gate.ts'
import { createRunner, watchOwnership } from './runner.ts'

const fails = (error: unknown) => {
  throw error
}
const aborted = (signal: AbortSignal) =>
  new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }))

test('only a limited number run at once, the others wait in order', async () => {
  const runner = createRunner({ limit: 2, onError: fails })
  const gates = [createGate(), createGate(), createGate()]
  const begun: number[] = []
  const works = gates.map(({ opened }, n) =>
    runner.run(String(n), async () => {
      begun.push(n)
      await opened
    }),
  )
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  expect(runner.hasCapacity()).toBe(false)
  gates[1]?.open()
  await works[1]
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const { open } of gates) open()
  await runner.idle()
  expect(runner.size()).toBe(0)
})

test('work that fails is reported and gives its place back', async () => {
  const errors: unknown[] = []
  const runner = createRunner({ limit: 1, onError: (error, id) => errors.push([id, error]) })
  const error = new Error('no')
  await runner.run('a', () => Promise.reject(error))
  expect(errors).toEqual([['a', error]])
  let ran = false
  await runner.run('b', async () => {
    ran = true
  })
  expect(ran).toBe(true)
})

test('the same id is not begun twice', async () => {
  const runner = createRunner({ limit: 5, onError: fails })
  const { open, opened } = createGate()
  let begun = 0
  const work = async () => {
    begun += 1
    await opened
  }
  const both = [runner.run('a', work), runner.run('a', work)]
  open()
  await Promise.all(both)
  expect(begun).toBe(1)
})

test('work that is no longer owned is aborted', async () => {
  const lost = new Error('lost')
  const runner = createRunner({
    limit: 2,
    onError: fails,
    stillOwned: async (ids) => ids.filter((id) => id !== 'taken'),
    lost,
    checkMs: 5,
  })
  const { open, opened } = createGate()
  let reason: unknown
  const taken = runner.run('taken', async (signal) => {
    await aborted(signal)
    reason = signal.reason
  })
  void runner.run('kept', () => opened)
  await taken
  expect(reason).toBe(lost)
  expect(runner.has('kept')).toBe(true)
  open()
  await runner.idle()
  const watched = watchOwnership(async () => false, 5)
  await aborted(watched.lost)
  watched.close()
})

test('closing waits for a while, then aborts the rest', async () => {
  const runner = createRunner({ limit: 2, onError: fails })
  const ended: string[] = []
  void runner.run('quick', async () => {
    ended.push('quick')
  })
  void runner.run('endless', async (signal) => {
    await aborted(signal)
    ended.push('endless')
  })
  await runner.close(10, 'closing')
  expect(ended).toEqual(['quick', 'endless'])
})
