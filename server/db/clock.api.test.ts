import { expect, test } from 'vitest'
import { testDatabase } from '#server/testing/database.ts'
import type { Database } from './client.ts'
import { checkClock, measureSkew } from './clock.ts'

const database = await testDatabase()

const clockOff = (ms: number) => () => Date.now() + ms

test('the difference of the clocks is measured in both directions', async () => {
  expect(Math.abs((await measureSkew(database.execute)).skewMs)).toBeLessThan(1000)
  expect((await measureSkew(database.execute, clockOff(-60_000))).skewMs).toBeCloseTo(60_000, -3)
  expect((await measureSkew(database.execute, clockOff(60_000))).skewMs).toBeCloseTo(-60_000, -3)
})

test('a start with clocks over five seconds apart is refused with advice', async () => {
  const log = { warn: () => {} }
  for (const ms of [-7000, 7000, 600_000]) {
    const refused = checkClock(database.execute, log, clockOff(ms))
    await expect(refused).rejects.toThrow(/расходятся на \d+\.\d с: здесь \S+Z, в базе \S+Z\. .*NTP/)
  }
})

test('a clock difference of 1 to 5 seconds causes only a warning', async () => {
  const warned: unknown[] = []
  const log = { warn: (...args: unknown[]) => warned.push(args) }
  await checkClock(database.execute, log, clockOff(2500))
  expect(warned).toHaveLength(1)
  const slow: Database['execute'] = async (text, values) => {
    const answer = await database.execute(text, values)
    await new Promise((resolve) => setTimeout(resolve, 600))
    return answer
  }
  await checkClock(slow, log)
  expect(warned).toHaveLength(1)
})
