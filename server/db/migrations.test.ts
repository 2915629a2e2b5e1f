import { readdirSync, readFileSync } from 'node:fs'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { expect, test } from 'vitest'
import * as schema from './schema.ts'

test('migrations and tables agree: there is nothing left to generate', async () => {
  const folder = 'server/db/migrations/meta'
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith('_snapshot.json'))
    .sort()
    .at(-1)
  const migrated = JSON.parse(readFileSync(`${folder}/${newest}`, 'utf8'))
  const declared = generateDrizzleJson(schema, migrated.id, undefined, 'snake_case')
  expect(await generateMigration(migrated, declared)).toEqual([])
})

test('each migration is younger than the one before it', () => {
  const { entries } = JSON.parse(readFileSync('server/db/migrations/meta/_journal.json', 'utf8')) as {
    entries: { idx: number; when: number; tag: string }[]
  }
  for (const [i, { idx, when, tag }] of entries.entries()) {
    expect(idx).toBe(i)
    expect(when, tag).toBeGreaterThan(entries[i - 1]?.when ?? 0)
  }
})

/** Those that were there before two releases had to share a database. */
const EARLIER = 9

test('a migration only adds; one that takes away or demands more says since when nobody minds', () => {
  const files = readdirSync('server/db/migrations').filter((name) => name.endsWith('.sql'))
  for (const name of files.sort().slice(EARLIER)) {
    const text = readFileSync(`server/db/migrations/${name}`, 'utf8')
    if (/^-- contract: \S/m.test(text)) continue
    expect(text, name).not.toMatch(/\bdrop (table|column|function)|\brename (to|column)|\bset (not null|data type)/i)
    expect(text, name).not.toMatch(/\badd column (?![^;]*\bdefault\b)(?![^;]*\bgenerated\b)[^;]*\bnot null/i)
  }
})
