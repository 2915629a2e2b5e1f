import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { nodeArgs } from './testing/node-args.ts'
import { administer, databaseUrl } from './testing/snapshot.ts'

/** The command itself, on an installation that has no database yet. */

const snapshot = inject('snapshot')
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'symbol-migrate-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const migrate = (env: Record<string, string>, ...flags: string[]) =>
  new Promise<{ code: number; output: string }>((done) => {
    const args = [...nodeArgs('migrate'), ...flags]
    const options = { env: { PATH: dirname(process.execPath), DATA_DIR: folder, ...env } }
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })

test('an embedded database is checked, created and then found complete (S10.265)', async () => {
  const before = await migrate({}, '--check')
  expect(before).toMatchObject({ code: 1, output: expect.stringContaining('ещё нет') })
  expect(existsSync(join(folder, 'database'))).toBe(false)
  expect(await migrate({})).toMatchObject({ code: 0, output: expect.stringContaining('База готова для этой сборки.') })
  expect(await migrate({}, '--check')).toMatchObject({ code: 0, output: expect.stringContaining('всё на месте') })
}, 300_000)

test.skipIf(!('url' in snapshot))(
  'a Postgres is migrated by two commands at once and complete (S10.265)',
  async () => {
    const server = 'url' in snapshot ? snapshot.url : ''
    const name = `symbol_migrate_${randomUUID().replaceAll('-', '')}`
    await administer(server, `create database ${name} template template1`)
    const env = { DATABASE_URL: databaseUrl(server, name) }
    try {
      expect(await migrate(env, '--check')).toMatchObject({ code: 1, output: expect.stringContaining('0000_init') })
      expect((await Promise.all([migrate(env), migrate(env)])).map(({ code }) => code)).toEqual([0, 0])
      expect(await migrate(env, '--check')).toMatchObject({ code: 0 })
    } finally {
      await administer(server, `drop database ${name} with (force)`)
    }
  },
  300_000,
)
