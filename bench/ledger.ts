import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/client.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { grant, hold, settle } from '#server/features/billing/ledger.ts'
import { startPostgres } from '../scripts/lib/services.mjs'
import { atEnd, runBench } from './lib/ending.ts'
import { goals } from './lib/goals.ts'
import { sum } from './lib/numbers.ts'
import { printGoals, printTable, type Row } from './lib/table.ts'

/**
 * How fast the ledger is: holds and settlements a second on one hot account and spread over 1,000, beside a plain
 * `update … set n = n - 1` on the same machine, on Postgres and embedded. Run: npm run bench:ledger
 */

const LIMIT_SECONDS = 900
const ACCOUNTS = 1000
/** The ledger and the plain update are measured in turn, so that other load on the machine affects both. */
const ROUNDS = 4
const ROUND_SECONDS = 1

await runBench(LIMIT_SECONDS, async () => {
  const postgres = await startPostgres()
  if (postgres) atEnd(postgres.stop)
  const folder = mkdtempSync(join(tmpdir(), 'symbol-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const tables = []
  if (postgres) {
    const rows = await measure(await openDatabase({ url: postgres.url }, sqlFolders()), 16)
    tables.push(printTable('Удержаний и списаний в секунду, Postgres', rows))
  }
  const rows = await measure(await openDatabase({ folder }, sqlFolders()), 1)
  tables.push(printTable('Удержаний и списаний в секунду, встроенная база', rows))
  printGoals(tables)
  return true
})

async function measure(database: Database, workers: number): Promise<Row[]> {
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
  const rows: Row[] = []
  for (const [what, user] of [['1000 счетов', anyUser] as const, ['один счёт', () => 'u1'] as const]) {
    const rates = { ours: [] as number[], floor: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      rates.floor.push(await rate(workers, plain(user)))
      rates.ours.push(await rate(workers, holdAndSettle(user)))
    }
    rows.push({ what, ours: sum(rates.ours) / ROUNDS, floor: sum(rates.floor) / ROUNDS, goal: goals.ledger })
  }
  await database.close()
  return rows
}

/** Actions per second with this many concurrent callers. */
async function rate(workers: number, action: (key: string) => Promise<number>): Promise<number> {
  const until = Date.now() + ROUND_SECONDS * 1000
  const started = performance.now()
  let actions = 0
  let key = 0
  const run = Math.random().toString(36).slice(2)
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (Date.now() < until) {
        // A separate step: `actions += await …` would read `actions` before the wait and lose what others added.
        const done = await action(`${run}:${++key}`)
        actions += done
      }
    }),
  )
  return actions / ((performance.now() - started) / 1000)
}
