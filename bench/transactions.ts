import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { LedgerFilter, LedgerQuery } from '#contract/transactions-admin.ts'
import { openDatabase } from '#server/db/client.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { ledgerTotals, listLedger } from '#server/features/transactions/transactions-admin.ts'
import type { Ctx } from '#server/http/context.ts'
import { startPostgres } from '../scripts/lib/services.mjs'

/**
 * How long the owner waits for the ledger of everybody: pages and totals by filter, on Postgres.
 * Run: npm run bench:transactions -- [--rows 200000]
 */

const { values: flags } = parseArgs({
  options: { rows: { type: 'string', default: '200000' } },
})
const ROWS = Number(flags.rows)
const PEOPLE = 2000
const TIMES = 20

const postgres = await startPostgres()
if (!postgres) throw new Error('There is no Postgres on this machine')
const database = await openDatabase({ url: postgres.url }, sqlFolders())
try {
  await database.migrate()
  await fill()
  await measure()
} finally {
  await database.close()
  await postgres.stop()
}

/** Straight into the table: what is measured is reading. A year of days, mostly answers. */
async function fill() {
  const { db } = database
  await db.execute(
    sql`insert into users (id, name, email) select 'u' || i, 'u', 'person' || i || '@example.test' from generate_series(1, ${PEOPLE}) i`,
  )
  await db.execute(sql`
    insert into ledger (user_id, key, kind, symbols, balance_after, parts, model_id, thread_id, message_id, input, output, input_rate, output_rate, amount, currency, created_at)
    select 'u' || (1 + (random() * random() * ${PEOPLE - 1})::int), 'k' || i,
      case when i % 200 = 0 then 'bundle' when i % 500 = 1 then 'gift' when i % 20000 = 3 then 'chargeback' else 'answer' end,
      case when i % 200 = 0 or i % 500 = 1 then 5000 else -(1 + (random() * 900)::int) end, 100000,
      '[{"grant":"019a0000-0000-7000-8000-000000000000","symbols":-100}]', 'model' || (i % 7),
      gen_random_uuid()::text, gen_random_uuid()::text, 100, 300, 1, 1,
      case when i % 200 = 0 then 990 end, case when i % 200 = 0 then 'BYN' end,
      now() - (${ROWS} - i) * (interval '365 days' / ${ROWS})
    from generate_series(1, ${ROWS}::int) i`)
  await db.execute(sql`analyze`)
}

async function measure() {
  const filters = {
    everything: {},
    'a month': { from: dayBefore(40), to: dayBefore(10) },
    'one day long ago': { from: dayBefore(300), to: dayBefore(300) },
    'a rare kind': { kind: 'chargeback' },
    'the common kind': { kind: 'answer' },
    'one model': { modelId: 'model3' },
    'no such model': { modelId: 'none' },
    'one person': { userId: 'u7' },
    'people by a part of the address': { query: 'person19' },
    'everybody’s address': { query: '@example' },
    'a key': { query: 'k777' },
    'by size, none': { symbolsFrom: 100_000 },
  }
  for (const [name, filter] of Object.entries(filters)) {
    const list = await timed(() => listLedger(ctx(), LedgerQuery.parse(filter)))
    const totals = await timed(() => ledgerTotals(ctx(), LedgerFilter.parse(filter)))
    console.log(`${name.padEnd(34)} list ${list}   totals ${totals}`)
  }
  console.log(
    `${'the last page'.padEnd(34)} list ${await timed(() => listLedger(ctx(), LedgerQuery.parse({ page: 2000 })))}`,
  )
  console.log(
    `${'by size'.padEnd(34)} list ${await timed(() => listLedger(ctx(), LedgerQuery.parse({ sort: '-symbols' })))}`,
  )
}

function ctx(): Ctx {
  return { db: database.db } as Ctx
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

async function timed(action: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  await action()
  for (let i = 0; i < TIMES; i++) {
    const started = performance.now()
    await action()
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(TIMES * share)] ?? 0).toFixed(0).padStart(5)
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`
}
