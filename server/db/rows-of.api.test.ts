import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { testDatabase } from '#server/testing/database.ts'
import { oneRowOf, rowsOf } from './rows-of.ts'

const database = await testDatabase()

test('rows of raw SQL have their schema’s types on both databases', async () => {
  const Row = z.object({ name: z.string(), count: z.coerce.number() })
  const query = sql`select 'a' as name, count(*) as count from (values (1), (2)) as v`
  expect(await rowsOf(database.db, query, Row)).toEqual([{ name: 'a', count: 2 }])
  expect(await database.db.transaction((tx) => rowsOf(tx, query, Row))).toEqual([{ name: 'a', count: 2 }])
})

test('a row that does not fit its schema is an error', async () => {
  await expect(rowsOf(database.db, sql`select 1 as name`, z.object({ name: z.string() }))).rejects.toThrow('name')
})

test('a query for a single row returns it or is an error', async () => {
  const Row = z.object({ one: z.number() })
  expect(await oneRowOf(database.db, sql`select 1 as one`, Row)).toEqual({ one: 1 })
  await expect(oneRowOf(database.db, sql`select 1 as one where false`, Row)).rejects.toThrow()
})
