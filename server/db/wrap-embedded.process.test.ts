import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { embeddedExtensions } from './embedded.ts'
import { sqlFolders } from './migrate.ts'
import { wrapEmbedded } from './wrap-embedded.ts'

const snapshot = inject('snapshot')
let client: PGlite
beforeAll(async () => {
  if (!('file' in snapshot)) return
  const loadDataDir = new Blob([await readFile(snapshot.file)])
  client = await PGlite.create({ extensions: embeddedExtensions, loadDataDir })
})
afterAll(() => client?.close())

test.runIf('file' in snapshot)('unused type parsers are removed, and stored types are read as before', async () => {
  const values = sql`select 7::bigint as big, 1.5::float8 as float, true as yes, '{"a": [1]}'::jsonb as json,
    array['a', 'b'] as texts, array[1, 2] as numbers, array[1.5, 2]::real[] as floats, array['a'::name] as names`
  const types = `select distinct atttypid as id from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0`
  const known = new Set(Object.keys(client.parsers))
  const { db } = wrapEmbedded(client, sqlFolders())
  expect(Object.keys(client.parsers).length).toBeLessThan(60)
  const { rows: used } = await client.query<{ id: number }>(types)
  expect(used.filter(({ id }) => known.has(String(id)) && !client.parsers[id])).toEqual([])
  const { rows } = (await db.execute(values)) as { rows: unknown[] }
  expect(rows).toEqual([
    {
      big: 7,
      float: 1.5,
      yes: true,
      json: { a: [1] },
      texts: ['a', 'b'],
      numbers: [1, 2],
      floats: [1.5, 2],
      names: ['a'],
    },
  ])
})
