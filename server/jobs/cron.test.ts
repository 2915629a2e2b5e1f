import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nextTime } from './cron.ts'

const at = (time: string) => new Date(`2026-11-${time}Z`)

test.each([
  ['* * * * *', '16T04:12:30', '16T04:13:00'],
  ['* * * * *', '16T04:13:00', '16T04:14:00'],
  ['*/10 * * * *', '16T04:50:00', '16T05:00:00'],
  ['13 * * * *', '16T04:12:59.999', '16T04:13:00'],
  ['13 * * * *', '16T23:13:00', '17T00:13:00'],
  ['13 4 * * *', '16T04:13:01', '17T04:13:00'],
  ['0 */6 * * *', '16T12:00:00', '16T18:00:00'],
])('the next minute of %s after %s is %s', (cron, after, next) => {
  expect(nextTime(cron, at(after))).toEqual(at(next))
})

test.each([
  ...['', '* * * *', '* * * * * *', '1,2 * * * *', '1-5 * * * *', '* * */2 * *', '0 0 1 1 *'],
  ...['daily * * * *', '*/0 * * * *', '61 * * * *'],
])('a cron expression that is not understood is an error: %s', (cron) =>
  expect(() => nextTime(cron, at('16T00:00:00'))).toThrow('cron expression'),
)

test('the times of all jobs can be read', () => {
  const sources = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!test)\.ts$/.test(file),
  )
  const times = sources.flatMap(
    (file) => readFileSync(join('server', file), 'utf8').match(/(?<=cron: ').*?(?=')/g) ?? [],
  )
  expect(times.length).toBeGreaterThan(10)
  for (const cron of times) expect(() => nextTime(cron, new Date()), cron).not.toThrow()
})
