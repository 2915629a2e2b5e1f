import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from './testing/database.ts'
import { nodeArgs } from './testing/node-args.ts'

/** Commands that read what servers write, on the schema of another build. */

const TEST_MS = 120_000

describe.skipIf(!('url' in inject('snapshot')))('on the schema of another build', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase()
  })
  afterAll(() => database.close())

  const run = (program: 'reconcile' | 'audit-verify') =>
    new Promise<{ code: number; said: string; warned: string }>((done) => {
      const env = { PATH: dirname(process.execPath), DATABASE_URL: database.url ?? '' }
      execFile(process.execPath, nodeArgs(program), { env }, (error, said, warned) =>
        done({ code: error ? Number(error.code) : 0, said, warned }),
      )
    })

  test.each(['reconcile', 'audit-verify'] as const)(
    '%s tells of a newer schema and goes on (S10.1204)',
    async (program) => {
      await database.execute(
        `insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9999999999999)`,
      )
      const { code, warned } = await run(program)
      await database.execute(`delete from drizzle.__drizzle_migrations where hash = 'newer'`)
      expect(code).toBe(0)
      expect(warned.trim()).toMatch(/^База новее этой сборки: npm run migrate .* в новой сборке\.$/)
    },
    TEST_MS,
  )

  test.each(['reconcile', 'audit-verify'] as const)(
    '%s names the missing migrations and npm run migrate (S10.1204)',
    async (program) => {
      await database.execute('alter table drizzle.__drizzle_migrations rename to hidden')
      await database.execute('create table drizzle.__drizzle_migrations (id serial, hash text, created_at bigint)')
      const { code, said, warned } = await run(program)
      await database.execute('drop table drizzle.__drizzle_migrations')
      await database.execute('alter table drizzle.hidden rename to __drizzle_migrations')
      expect({ code, said }).toEqual({ code: 1, said: '' })
      expect(warned).toMatch(/не хватает: 0000_init\. Выполните npm run migrate и повторите команду\.$/m)
    },
    TEST_MS,
  )
})
