import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as z from 'zod/mini'
import { openJobs } from '#server/jobs/jobs.ts'
import { registerInstance } from '#server/testing/instance.ts'
import { administer, databaseUrl } from '#server/testing/snapshot.ts'
import { freePort } from '../../scripts/lib/services.mjs'
import type { Database } from './client.ts'
import { sqlFolders } from './migrate.ts'
import { openDatabase } from './open.ts'
import { jobRuns } from './schema.ts'
import { statement, type Value } from './statement.ts'

const snapshot = inject('snapshot')
const isThere = spawnSync('pgbouncer', ['--version']).status === 0

/** Transaction pooling: two statements of a client may run in two sessions of the database. */
describe.skipIf(!('url' in snapshot) || !isThere)('behind PgBouncer', () => {
  const server = 'url' in snapshot ? snapshot.url : ''
  const name = `symbol_bouncer_${randomUUID().replaceAll('-', '')}`
  const folder = mkdtempSync(join(tmpdir(), 'symbol-bouncer-'))
  let bouncer: ReturnType<typeof spawn>
  let url: string
  const opened: Database[] = []

  beforeAll(async () => {
    await administer(server, `create database ${name}`)
    const port = await freePort()
    const { hostname, port: behind, username } = new URL(server)
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'any',
      pool_mode: 'transaction',
      default_pool_size: 6,
      max_client_conn: 200,
    }
    writeFileSync(
      join(folder, 'bouncer.ini'),
      [
        '[databases]',
        `${name} = host=${hostname} port=${behind} user=${username}`,
        '[pgbouncer]',
        ...Object.entries(settings).map(([key, value]) => `${key} = ${value}`),
      ].join('\n'),
    )
    chmodSync(folder, 0o755)
    const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
    bouncer = spawn('pgbouncer', ['-q', ...user, join(folder, 'bouncer.ini')], { stdio: 'ignore' })
    url = `postgres://${username}@127.0.0.1:${port}/${name}`
    const isOpen = () =>
      administer(url, 'select 1').then(
        () => true,
        () => false,
      )
    while (!(await isOpen())) await new Promise((resolve) => setTimeout(resolve, 100))
  }, 30_000)
  afterAll(async () => {
    for (const each of opened) await each.close()
    bouncer.kill('SIGKILL')
    await administer(server, `drop database ${name} with (force)`)
    rmSync(folder, { recursive: true })
  })

  test('instances start and work, and leave nothing in the shared sessions (S10.412)', async () => {
    let runs = 0
    const start = async () => {
      const database = await openDatabase({ url }, sqlFolders())
      opened.push(database)
      await database.migrate()
      const { db } = database
      const instance = await registerInstance(db)
      const onError = (error: unknown) => expect.fail(String(error))
      const jobs = openJobs({ db, instance, onError }, [
        { name: 'probe', cron: '0 0 * * *', run: async () => void runs++ },
      ])
      await jobs.prepare()
      await db.update(jobRuns).set({ nextAt: sql`now()` }).where(eq(jobRuns.name, 'probe'))
      await jobs.runDue()
      await jobs.close()
      return database
    }
    await start()
    await start()
    const [database] = await Promise.all([start(), start(), start()])
    expect(runs).toBeGreaterThanOrEqual(3)
    const counts = await Promise.all(
      Array.from({ length: 30 }, () => database.db.transaction((tx) => tx.execute(sql`select count(*) from users`))),
    )
    expect(counts).toHaveLength(30)

    // Names of statements belong to a session, and here the session changes between two statements.
    const one = statement('one', (value: Value<'n'>) => sql`select ${value('n')}::int as n`, z.object({ n: z.int() }))
    const named = await Promise.all(Array.from({ length: 30 }, (_, n) => one(database.db, { n })))
    expect(named).toEqual(Array.from({ length: 30 }, (_, n) => [{ n }]))
    const prepared = await database.execute('select name from pg_prepared_statements')
    expect(prepared.rows).toEqual([])

    const direct = new pg.Client({ connectionString: databaseUrl(server, name) })
    await direct.connect()
    const { rows } = await direct.query(`select count(*)::int as locks from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`)
    expect(rows).toEqual([{ locks: 0 }])
    await direct.end()
    const settings = await Promise.all(
      Array.from({ length: 12 }, () =>
        database.execute(`select current_setting('statement_timeout') as value, pg_sleep(0.05)`),
      ),
    )
    expect(new Set(settings.map(({ rows: [row] }) => (row as { value: string }).value))).toEqual(new Set(['0']))
  }, 60_000)
})
