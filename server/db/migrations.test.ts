import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('a migration with concurrent indexes contains nothing else (S10.266)', () => {
  for (const name of readdirSync('server/db/migrations').filter((file) => file.endsWith('.sql'))) {
    const statements = readFileSync(`server/db/migrations/${name}`, 'utf8').split('--> statement-breakpoint')
    const concurrent = statements.filter((statement) => /\bindex concurrently\b/i.test(statement))
    expect([0, statements.length], name).toContain(concurrent.length)
  }
})

test('each migration is younger than the previous migration', () => {
  const { entries } = JSON.parse(readFileSync('server/db/migrations/meta/_journal.json', 'utf8')) as {
    entries: { idx: number; when: number; tag: string }[]
  }
  for (const [i, { idx, when, tag }] of entries.entries()) {
    expect(idx).toBe(i)
    expect(when, tag).toBeGreaterThan(entries[i - 1]?.when ?? 0)
  }
})

test('a migration only adds, or names the release that allows more', () => {
  const files = readdirSync('server/db/migrations').filter((name) => name.endsWith('.sql'))
  for (const name of files) {
    const text = readFileSync(`server/db/migrations/${name}`, 'utf8')
    if (/^-- contract: \S/m.test(text)) continue
    expect(text, name).not.toMatch(/\bdrop (table|column|function)|\brename (to|column)|\bset (not null|data type)/i)
    expect(text, name).not.toMatch(/\badd column (?![^;]*\bdefault\b)(?![^;]*\bgenerated\b)[^;]*\bnot null/i)
  }
})
