import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import { LedgerFilter, LedgerQuery } from '#contract/transactions-admin.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { ledgerTotals, listLedger } from '#server/features/transactions/transactions-admin.ts'
import type { Ctx } from '#server/http/context.ts'
import { startPostgres } from '../scripts/lib/services.mjs'
import { goals } from './lib/goals.ts'
import { median, quantile } from './lib/numbers.ts'
import { printGoals, printTable, type Row } from './lib/table.ts'

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

/** Inserts rows directly, because only reading is measured. They span a year and are mostly answers. */
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
    'без отбора': {},
    месяц: { from: dayBefore(40), to: dayBefore(10) },
    'один давний день': { from: dayBefore(300), to: dayBefore(300) },
    'редкий вид': { kind: 'chargeback' },
    'частый вид': { kind: 'answer' },
    'одна модель': { modelId: 'model3' },
    'такой модели нет': { modelId: 'none' },
    'один человек': { userId: 'u7' },
    'люди по части адреса': { query: 'person19' },
    'слово, которое подходит всем': { query: '@example' },
    'ключ операции': { query: 'k777' },
    'по размеру, ни одной': { symbolsFrom: 100_000 },
  }
  const rows: Row[] = []
  for (const [name, filter] of Object.entries(filters)) {
    rows.push(...(await timed(name, () => listLedger(ctx(), LedgerQuery.parse(filter)))))
    rows.push(...(await timed(`${name}: итоги`, () => ledgerTotals(ctx(), LedgerFilter.parse(filter)))))
  }
  rows.push(...(await timed('последняя страница', () => listLedger(ctx(), LedgerQuery.parse({ page: 2000 })))))
  rows.push(...(await timed('по размеру', () => listLedger(ctx(), LedgerQuery.parse({ sort: '-symbols' })))))
  printGoals([printTable(`Книга операций, ${ROWS} строк, мс`, rows)])
}

function ctx(): Ctx {
  return { db: database.db } as Ctx
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

async function timed(what: string, action: () => Promise<unknown>): Promise<Row[]> {
  const times: number[] = []
  await action()
  for (let i = 0; i < TIMES; i++) {
    const started = performance.now()
    await action()
    times.push(performance.now() - started)
  }
  return [
    { what: `${what}: обычно`, ours: median(times) },
    { what: `${what}: 95 %`, ours: quantile(times, 0.95), goal: { most: goals.admin.listMs } },
  ]
}
