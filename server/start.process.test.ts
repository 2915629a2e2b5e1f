import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, describe, expect, inject, test } from 'vitest'
import type { Database } from './db/client.ts'
import { underStartLock } from './db/locks.ts'
import { sqlFolders } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { jobRuns } from './db/schema.ts'
import { openVectors } from './features/knowledge/deps.ts'
import { seedModels } from './features/models/start-models.ts'
import { openJobs } from './jobs/jobs.ts'
import { openLog } from './lib/log.ts'
import { registerInstance } from './testing/instance.ts'
import { administer, databaseUrl } from './testing/snapshot.ts'

/** What starting instances do to the database and to each other. */

const snapshot = inject('snapshot')
const names = Array.from({ length: 12 }, (_, i) => `job-${i}`)
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function aDatabase(template: string): Promise<string> {
  const server = 'url' in snapshot ? snapshot.url : ''
  const name = `symbol_start_${randomUUID().replaceAll('-', '')}`
  await administer(server, `create database ${name} template ${template}`)
  closing.push(() => administer(server, `drop database ${name} with (force)`))
  return databaseUrl(server, name)
}

/** The parts of a start that write to the database. */
async function startInstance(url: string): Promise<Database> {
  const database = await openDatabase({ url }, sqlFolders(), { poolSize: 3 })
  await database.migrate()
  await seedModels(database.db)
  await openVectors(database.db, openLog('silent'))
  const declared = names.map((name) => ({ name, cron: '* * * * *', run: async () => {} }))
  const instance = await registerInstance(database.db)
  const jobs = openJobs({ db: database.db, instance, onError: () => {} }, declared)
  await jobs.prepare()
  await database.db.update(jobRuns).set({ nextAt: sql`now()` }).where(eq(jobRuns.name, 'job-0'))
  await jobs.runDue()
  closing.push(async () => {
    await jobs.close()
    await database.close()
  })
  return database
}

describe.skipIf(!('url' in snapshot))('starting on Postgres', () => {
  test('five instances start at once on an empty database', { timeout: 60_000 }, async () => {
    const url = await aDatabase('template1')
    const started = await Promise.allSettled(Array.from({ length: 5 }, () => startInstance(url)))
    expect(started.filter(({ status }) => status === 'rejected')).toEqual([])
    const [first] = started
    if (first?.status !== 'fulfilled') return
    const { rows } = await first.value.execute(`select name from job_runs where name like 'job-%'`)
    expect(rows).toHaveLength(names.length)
  })

  test('instances restart while people write: no write fails or waits long', {
    timeout: 120_000,
  }, async () => {
    const url = await aDatabase('template' in snapshot ? snapshot.template : '')
    await startInstance(url)
    const writers = await writeInLoops(url, 8)
    for (let i = 0; i < 6; i++) {
      // Every other start finds its functions and triggers missing, like the first start of a new build.
      if (i % 2 === 1) await administer(url, 'truncate drizzle.applied_sql')
      await startInstance(url)
    }
    const { failures, writes, slowestMs } = await writers.stop()
    expect(failures).toEqual([])
    expect(writes).toBeGreaterThan(20)
    expect(slowestMs).toBeLessThan(5000)
  })

  test('a waiting start says so and finally gives up with an explanation', {
    timeout: 30_000,
  }, async () => {
    const url = await aDatabase('template1')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const lines: unknown[][] = []
    const log = { info: (...args: unknown[]) => void lines.push(args), warn: () => {} } as never
    let holding = () => {}
    const begun = new Promise<void>((resolve) => {
      holding = resolve
    })
    const holder = underStartLock(url, () => {
      holding()
      return held
    })
    await begun
    await expect(underStartLock(url, async () => 'never', log, 500)).rejects.toThrow('Другой сервер держит базу')
    expect(lines[0]?.[1]).toBe('Жду, пока другой сервер закончит миграции…')
    const waiting = underStartLock(url, async () => 'mine', log)
    release()
    await holder
    expect(await waiting).toBe('mine')
  })

  test('the lock holds no snapshot and leaves nothing behind', async () => {
    const url = await aDatabase('template1')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const locks = () =>
      client.query(`select a.backend_xid, a.backend_xmin from pg_locks l join pg_stat_activity a using (pid)
        where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())`)
    await underStartLock(url, async () => {
      expect((await locks()).rows).toEqual([{ backend_xid: null, backend_xmin: null }])
    })
    expect((await locks()).rows).toEqual([])
    await client.end()
  }, 30_000)
})

/** Writers that lock like a sent message (messages, then balances) and like a payment (orders, then balances). */
async function writeInLoops(url: string, count: number) {
  const pool = new pg.Pool({ connectionString: url, max: count })
  const failures: string[] = []
  let [writes, slowestMs, stopped] = [0, 0, false]
  await pool.query(
    `insert into users (id, name, email) select 'w' || i, 'w', 'w' || i || '@example.test' from generate_series(0, ${count}) i`,
  )
  await pool.query(`insert into balances (user_id, total) select id, 0 from users where id like 'w%'`)
  await pool.query(`insert into threads (id, user_id, title) select 't' || id, id, 'w' from users where id like 'w%'`)
  const loop = async (n: number) => {
    const user = `w${n}`
    while (!stopped) {
      const since = Date.now()
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query(
          `insert into messages (id, thread_id, user_id, role, content, status) values ($1, $2, $3, 'user', 'text', 'complete')`,
          [randomUUID(), `t${user}`, user],
        )
        await client.query(`update users set name = 'w' || random() where id = $1`, [user])
        await client.query('update balances set exhausted = not exhausted where user_id = $1', [user])
        await client.query(`select from money_grant($1, $2, $3, 'gift', 10, null, '{}', now())`, [
          randomUUID(),
          randomUUID(),
          user,
        ])
        await client.query('commit')
        writes += 1
      } catch (error) {
        failures.push(String(error))
        await client.query('rollback').catch(() => {})
      } finally {
        client.release()
      }
      slowestMs = Math.max(slowestMs, Date.now() - since)
    }
  }
  const loops = Array.from({ length: count }, (_, n) => loop(n))
  return {
    stop: async () => {
      stopped = true
      await Promise.all(loops)
      await pool.end()
      return { failures, writes, slowestMs }
    },
  }
}
