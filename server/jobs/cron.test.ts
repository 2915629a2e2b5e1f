import { expect, test } from 'vitest'
import { minutesSince, readCron } from './cron.ts'

const at = (time: string) => new Date(`2026-11-${time}:00Z`)

test.each([
  ['* * * * *', ['16T00:00', '16T04:13'], []],
  ['*/10 * * * *', ['16T00:00', '16T04:50'], ['16T04:13', '16T04:51']],
  ['13 * * * *', ['16T00:13', '16T23:13'], ['16T13:00', '16T13:12']],
  ['13 4 * * *', ['16T04:13', '17T04:13'], ['16T04:12', '16T16:13']],
  ['0 */6 * * *', ['16T00:00', '16T18:00'], ['16T04:00', '16T06:01']],
  ['5 2 1 * *', ['01T02:05'], ['02T02:05', '11T02:05']],
  ['0 0 1 1 *', [], ['01T00:00']],
  ['0 0 * 11 1', ['16T00:00'], ['17T00:00']],
])('%s names its minutes in UTC and no others', (cron, due, others) => {
  const isDue = readCron(cron)
  expect(due.filter((time) => !isDue(at(time)))).toEqual([])
  expect(others.filter((time) => isDue(at(time)))).toEqual([])
})

test.each(['', '* * * *', '* * * * * *', '1,2 * * * *', '1-5 * * * *', '* * */2 * *', 'daily * * * *', '*/0 * * * *'])(
  'what is not understood is an error when it is planned: %s',
  (cron) => expect(() => readCron(cron)).toThrow('cron expression'),
)

const minutes = (last: string, now: string) =>
  minutesSince(Date.parse(`2026-11-16T${last}Z`), Date.parse(`2026-11-16T${now}Z`)).map((minute) =>
    minute.toISOString().slice(11, 16),
  )

test('each minute is looked at once, those of a pause too, but not of a long one', () => {
  expect(minutes('04:12:30', '04:12:45')).toEqual([])
  expect(minutes('04:12:45', '04:13:00')).toEqual(['04:13'])
  expect(minutes('04:12:59', '04:15:01')).toEqual(['04:13', '04:14', '04:15'])
  expect(minutes('01:00:00', '09:59:30')).toHaveLength(60)
  expect(minutes('01:00:00', '09:59:30').at(-1)).toBe('09:59')
  expect(minutes('04:13:00', '04:10:00')).toEqual([])
})
