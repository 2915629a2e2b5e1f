import { pino } from 'pino'
import { expect, test } from 'vitest'
import { libraryLog } from './library-log.ts'

function recorded() {
  const lines: string[] = []
  const log = pino({ level: 'trace', base: undefined }, { write: (line) => lines.push(line) })
  return { lines, ...libraryLog(log) }
}

test('only warnings and errors reach our log', () => {
  const { log, lines } = recorded()
  log('debug', 'a')
  log('info', 'b')
  log('warn', 'c')
  log('error', 'd')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['c', 'd'])
})

test('tokens never do: neither the parameters of a query nor the end of a link', () => {
  const { log, lines } = recorded()
  const failure = new Error('Failed query: insert into "sessions"\nparams: secret-token,1', {
    cause: new Error('duplicate key'),
  })
  log('error', 'Invalid callbackURL: https://evil.example/?token=secret-token', failure, { state: 'secret-token' })
  expect(lines.join()).not.toContain('secret-token')
  expect(lines.join()).toContain('Failed query: insert into')
  expect(lines.join()).toContain('duplicate key')
})

test('without a log the library is silent', () => {
  expect(libraryLog(undefined).disabled).toBe(true)
})
