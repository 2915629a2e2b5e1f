import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTrackedFolder } from './ending.ts'

interface Journal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[]
}

export const NEXT_COLUMN = 'next_release'
export const NEXT_INDEX = 'ledger_next_release'

/** What the next release would bring: a column, an index of a busy table, another set of functions. */
const MIGRATIONS = {
  next_column: `alter table messages add column ${NEXT_COLUMN} text not null default ''`,
  next_index: `create index concurrently ${NEXT_INDEX} on ledger (user_id, created_at)`,
}
const FUNCTION = 'create or replace function next_release() returns int language sql immutable as $$ select 1 $$;\n'

/** The same build with a newer schema: the next release, which must run beside this one on one database. */
export function makeNextBuild(build: string): string {
  mkdirSync('.cache', { recursive: true })
  const folder = makeTrackedFolder('.cache/drill-next-')
  cpSync(build, folder, { recursive: true })
  const path = join(folder, 'migrations/meta/_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8')) as Journal
  for (const [tag, text] of Object.entries(MIGRATIONS)) {
    const last = journal.entries.at(-1) ?? { idx: -1, when: 0 }
    journal.entries.push({ idx: last.idx + 1, version: '7', when: last.when + 1, tag, breakpoints: true })
    writeFileSync(join(folder, 'migrations', `${tag}.sql`), text)
  }
  writeFileSync(path, JSON.stringify(journal))
  writeFileSync(join(folder, 'functions/next-release.sql'), FUNCTION)
  return folder
}
