import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { rowsOf } from '#server/db/rows-of.ts'
import { openTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { administer } from '#server/testing/snapshot.ts'
import type { Database, Db } from './client.ts'
import { sqlFolders } from './migrate.ts'
import { openPostgres, type PostgresOptions } from './postgres.ts'
import { statement, type Value } from './statement.ts'
import { longRunning } from './transactions.ts'

describe.skipIf(!('url' in inject('snapshot')))('connections to Postgres', () => {
  let database: TestDatabase
  const opened: Database[] = []
  beforeAll(async () => {
    database = await openTestDatabase()
  })
  afterAll(async () => {
    for (const each of opened) await each.close()
    await database.close()
  })

  const open = (options: PostgresOptions = {}) => {
    const another = openPostgres(database.url ?? '', sqlFolders(), options)
    opened.push(another)
    return { ...another, pool: another.pool as pg.Pool }
  }
  const answerTo = async (db: Db, query: string): Promise<unknown> => {
    const [row] = await rowsOf(db, sql.raw(`select ${query} as value`), z.object({ value: z.unknown() }))
    return row?.value
  }

  test('a named statement is prepared once per connection, also for transactions (S10.412)', async () => {
    const { db, pool } = open({ poolSize: 1 })
    const double = statement(
      'double',
      (value: Value<'n'>) => sql`select ${value('n')}::int * 2 as n`,
      z.object({ n: z.int() }),
    )
    expect(await Promise.all([1, 2, 3].map((n) => double(db, { n })))).toEqual([[{ n: 2 }], [{ n: 4 }], [{ n: 6 }]])
    expect(await db.transaction((tx) => double(tx, { n: 4 }))).toEqual([{ n: 8 }])
    const { rows } = await pool.query('select name, generic_plans + custom_plans as runs from pg_prepared_statements')
    expect(rows).toEqual([{ name: expect.stringMatching(/^double_/), runs: '4' }])
  })

  test('a few idle connections stay open, and the others are closed', async () => {
    const { pool } = open({ poolSize: 7, idleMs: 30 })
    const queries = Promise.all(Array.from({ length: 7 }, () => pool.query('select pg_sleep(0.2)')))
    expect(pool.totalCount).toBe(7)
    await queries
    await expect.poll(() => pool.totalCount).toBe(4)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(pool.totalCount).toBe(4)
  })

  test('a connection that breaks inside a transaction fails only its caller', async () => {
    const warned: unknown[] = []
    const { db, pool } = open({ log: { info: () => {}, warn: (...args: unknown[]) => warned.push(args) } as never })
    const broken = db.transaction(async (tx) => {
      const pid = await answerTo(tx, 'pg_backend_pid()')
      await administer(database.url ?? '', `select pg_terminate_backend(${pid})`)
      await new Promise((resolve) => setTimeout(resolve, 200))
      await tx.execute(sql`select 1`)
    })
    await expect(broken).rejects.toThrow('select 1')
    expect(warned).toContainEqual([{ err: expect.any(Error) }, 'database: a connection broke'])
    expect(await answerTo(db, '7')).toBe(7)
    expect(pool.totalCount).toBe(pool.idleCount)
  })

  test('connections that break at begin are returned to the pool', async () => {
    const { db, pool } = open({ poolSize: 3 })
    const breakIt = (client: pg.PoolClient) => {
      ;(client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy()
    }
    pool.on('acquire', breakIt)
    for (let i = 0; i < 25; i++) await expect(db.transaction(async () => 'never')).rejects.toThrow()
    pool.off('acquire', breakIt)
    expect(await db.transaction(async (tx) => answerTo(tx, '7'))).toBe(7)
    expect(pool.totalCount).toBe(1)
  })

  test('statements are not compiled and may take 15 seconds, or ten minutes', async () => {
    const { db } = open()
    const setting = (of: Db, name: string) => answerTo(of, `current_setting('${name}')`)
    expect(await setting(db, 'statement_timeout')).toBe('15s')
    expect(await setting(longRunning(db), 'statement_timeout')).toBe('10min')
    expect(await setting(db, 'idle_in_transaction_session_timeout')).toBe('1min')
    expect(await setting(db, 'jit')).toBe('off')
  })

  test('the database ends a slow statement, and its connection works on', async () => {
    const { db, pool } = open({ poolSize: 1, statementMs: 100 })
    await expect(db.execute(sql`select pg_sleep(5)`)).rejects.toMatchObject({ cause: { code: '57014' } })
    await expect(db.transaction((tx) => tx.execute(sql`select pg_sleep(5)`))).rejects.toMatchObject({
      cause: { code: '57014' },
    })
    expect(await answerTo(db, '7')).toBe(7)
    expect(pool.totalCount).toBe(1)
  })

  test('a connection with a late answer is closed and never used again', async () => {
    const { db, pool } = open({ poolSize: 1, statementMs: 300, graceMs: 200 })
    const pids: unknown[] = []
    const late = db.transaction(async (tx) => {
      pids.push(await answerTo(tx, 'pg_backend_pid()'))
      await tx.execute(sql`set local statement_timeout = 0`)
      await tx.execute(sql`select pg_sleep(20)`)
    })
    const started = performance.now()
    await expect(late).rejects.toMatchObject({ cause: { message: 'Query read timeout' } })
    // The timeout is half a second; any time shorter than the sleep proves that its answer was not awaited.
    expect(performance.now() - started).toBeLessThan(15_000)
    expect(await answerTo(db, '7')).toBe(7)
    expect(await answerTo(db, 'pg_backend_pid()')).not.toBe(pids[0])
    expect(await answerTo(db, `pg_terminate_backend(${pids[0]})`)).toBe(true)
    expect(pool.totalCount).toBe(1)
  })

  test('the pool is as large as the setting says', async () => {
    const { db, pool } = open({ poolSize: 3 })
    await Promise.all(Array.from({ length: 12 }, () => answerTo(db, 'pg_sleep(0.05)')))
    expect(pool.totalCount).toBe(3)
  })
})
