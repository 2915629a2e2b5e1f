import { expect, test } from 'vitest'
import { isDiskFull } from './errors.ts'

const withCode = (code: string) => Object.assign(new Error('failed'), { code })

test.each([
  ['a file that cannot be written', withCode('ENOSPC')],
  ['a quota that is used up', withCode('EDQUOT')],
  ['a query that Postgres refuses', new Error('Failed query', { cause: withCode('53100') })],
  ['the embedded database without a message', { name: 'ErrnoError', errno: 51 }],
  ['a message alone', new Error('could not write to file "pg_wal/xlogtemp.1": No space left on device')],
])('%s means a full disk', (_, error) => {
  expect(isDiskFull(error)).toBe(true)
})

test.each([withCode('EACCES'), { name: 'Error', errno: 51 }, null, 'ENOSPC'])(
  '%s does not mean a full disk',
  (error) => {
    expect(isDiskFull(error)).toBe(false)
  },
)
