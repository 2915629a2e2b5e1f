import { expect, test } from 'vitest'
import { threadMs, threadPath, workClock } from './work-clock.ts'

test.runIf(process.platform === 'linux')('the limit counts work, not waiting (S10.737)', async () => {
  const path = threadPath()
  const isOver = workClock(path, 200)
  const start = threadMs(path ?? '') ?? 0
  await new Promise((done) => setTimeout(done, 300))
  expect((threadMs(path ?? '') ?? 0) - start).toBeLessThan(200)
  expect(isOver()).toBe(false)
  while ((threadMs(path ?? '') ?? 0) - start <= 250) Math.sqrt(start)
  expect(isOver()).toBe(true)
})

test('a thread that waits for ever ends by the clock', async () => {
  const isOver = workClock(null, 20)
  expect(isOver()).toBe(false)
  await new Promise((done) => setTimeout(done, 30))
  expect(isOver()).toBe(true)
})
