import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type Database, openDatabase } from '#server/db/client.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { grant, hold, settle } from '#server/features/billing/ledger.ts'
import { startPostgres } from '../scripts/lib/services.mjs'

/**
 * How fast the ledger is: holds and settlements a second on one hot account and spread over 1,000, beside a plain
 * `update … set n = n - 1` on the same machine, on Postgres and embedded. Run: npm run bench:ledger
 */

const ACCOUNTS = 1000
const SECONDS = 4

const postgres = await startPostgres()
const folder = mkdtempSync(join(tmpdir(), 'symbol-bench-'))
if (postgres) await measure('Postgres', await openDatabase({ url: postgres.url }, sqlFolders()), 16)
await measure('embedded', await openDatabase({ folder }, sqlFolders()), 1)
await postgres?.stop()
rmSync(folder, { recursive: true, force: true })

async function measure(name: string, database: Database, workers: number) {
  const { db } = database
  await database.migrate()
  await db.execute(
    sql`insert into users (id, name, email) select 'u' || i, 'u', 'u' || i || '@example.test' from generate_series(1, ${ACCOUNTS}) i`,
  )
  await db.execute(sql`create table floor (id text primary key, n bigint)`)
  await db.execute(sql`insert into floor select 'u' || i, 1000000000 from generate_series(1, ${ACCOUNTS}) i`)
  for (let i = 1; i <= ACCOUNTS; i++) {
    await grant(db, { key: `g${i}`, userId: `u${i}`, kind: 'gift', symbols: 1_000_000_000 })
  }
  const anyUser = () => `u${1 + Math.floor(Math.random() * ACCOUNTS)}`
  const plain = (user: () => string) => async () => {
    await db.execute(sql`update floor set n = n - 1 where id = ${user()}`)
    return 1
  }
  const holdAndSettle = (user: () => string) => async (key: string) => {
    await hold(db, { key, userId: user(), kind: 'answer', symbols: 10 })
    await settle(db, key, 7, { modelId: 'demo', input: 3, output: 4, inputRate: 1, outputRate: 1 })
    return 2
  }
  const hot = () => 'u1'
  const floorSpread = await rate(workers, plain(anyUser))
  const spread = await rate(workers, holdAndSettle(anyUser))
  const floorHot = await rate(workers, plain(hot))
  const one = await rate(workers, holdAndSettle(hot))
  const line = (what: string, actions: number, floor: number) =>
    `${name.padEnd(9)} ${what.padEnd(15)} ${actions.toFixed(0).padStart(7)} acts/s   floor ${floor.toFixed(0).padStart(7)}/s   ratio ${(actions / floor).toFixed(2)}`
  console.log(line('1000 accounts', spread, floorSpread))
  console.log(line('one account', one, floorHot))
  await database.close()
}

/** Acts a second with so many callers at once. */
async function rate(workers: number, action: (key: string) => Promise<number>): Promise<number> {
  const until = Date.now() + SECONDS * 1000
  const started = performance.now()
  let actions = 0
  let key = 0
  const run = Math.random().toString(36).slice(2)
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (Date.now() < until) actions += await action(`${run}:${++key}`)
    }),
  )
  return actions / ((performance.now() - started) / 1000)
}
