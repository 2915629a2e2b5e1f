import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { expect, test } from 'vitest'
import { makeNextBuild } from './next-build.ts'

test('the next build has two migrations and a function more (S10.1205)', () => {
  const build = mkdtempSync(join(tmpdir(), 'symbol-build-'))
  for (const name of ['migrations', 'functions']) cpSync(`server/db/${name}`, join(build, name), { recursive: true })
  const next = makeNextBuild(build)
  try {
    const read = (folder: string) => readMigrationFiles({ migrationsFolder: join(folder, 'migrations') })
    const [before, after] = [read(build), read(next)]
    const own = after.slice(before.length)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(own.map(({ sql }) => sql.length)).toEqual([1, 1])
    expect(own[1]?.sql[0]).toMatch(/^create index concurrently /)
    expect(own[1]?.folderMillis).toBeGreaterThan(own[0]?.folderMillis ?? Number.POSITIVE_INFINITY)
    expect(readdirSync(join(next, 'functions'))).toHaveLength(readdirSync(join(build, 'functions')).length + 1)
    expect(readFileSync(join(build, 'migrations/meta/_journal.json'), 'utf8')).not.toContain('next_')
  } finally {
    for (const folder of [build, next]) rmSync(folder, { recursive: true })
  }
})
