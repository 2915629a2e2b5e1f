import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startSweep } from './sweeps.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const fail = (error: unknown) => expect.fail(String(error))

test('a sweep repeats by itself and never overlaps itself', async () => {
  let [running, most, runs] = [0, 0, 0]
  const sweep = startSweep(
    {
      name: 'slow',
      everyMs: 5,
      run: async () => {
        running += 1
        most = Math.max(most, running)
        await pause(20)
        running -= 1
        runs += 1
        return 0
      },
    },
    fail,
  )
  await Promise.all([sweep.runNow(), sweep.runNow(), sweep.runNow()])
  expect(runs).toBe(1)
  await expect.poll(() => runs).toBeGreaterThan(3)
  await sweep.close()
  expect(most).toBe(1)
})

test('a sweep goes on while rows are left, up to its limit', async () => {
  let left = 5
  const sweep = startSweep({ name: 'rows', everyMs: 60_000, run: async () => left-- }, fail)
  await sweep.runNow()
  expect(left).toBe(-1)
  await sweep.close()

  let batches = 0
  const endless = startSweep(
    {
      name: 'endless',
      everyMs: 60_000,
      limitMs: 500,
      run: async () => {
        batches += 1
        await pause(10)
        return 1
      },
    },
    fail,
  )
  await endless.runNow()
  expect(batches).toBeGreaterThan(1)
  expect(batches).toBeLessThan(100)
  await endless.close()
})

test('an error is reported with the name, and the sweep goes on', async () => {
  const reported: unknown[] = []
  let runs = 0
  const sweep = startSweep(
    {
      name: 'shaky',
      everyMs: 5,
      run: async () => {
        runs += 1
        if (runs === 1) throw new Error('no connection')
        return 0
      },
    },
    (error, name) => reported.push([name, (error as Error).message]),
  )
  await expect.poll(() => runs).toBeGreaterThan(2)
  expect(reported).toEqual([['shaky', 'no connection']])
  await sweep.close()
})

test('closing waits for the current run, and no run follows', async () => {
  let [runs, ended] = [0, 0]
  const sweep = startSweep(
    {
      name: 'last',
      everyMs: 5,
      run: async () => {
        runs += 1
        await pause(50)
        ended += 1
        return 1
      },
    },
    fail,
  )
  await expect.poll(() => runs).toBe(1)
  await sweep.close()
  expect([runs, ended]).toEqual([1, 1])
  await sweep.runNow()
  await pause(30)
  expect(runs).toBe(1)
})

test('a sweep that waits for work runs only when woken', async () => {
  let runs = 0
  const run = async () => {
    runs += 1
    return 0
  }
  const waits = sql`true`
  const calm = startSweep({ name: 'calm', everyMs: 60_000, waits, run }, fail)
  calm.wake()
  await expect.poll(() => runs).toBe(1)
  calm.wake()
  await calm.close()
  const quick = startSweep({ name: 'quick', everyMs: 1, waits, run }, fail)
  await pause(50)
  expect(runs).toBe(1)
  quick.wake()
  await expect.poll(() => runs).toBe(2)
  await quick.close()
  quick.wake()
  expect(runs).toBe(2)
})
