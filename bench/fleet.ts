import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { startBalancer } from '../drill/lib/balancer.ts'
import { ensureBuilt } from '../scripts/lib/built.mjs'
import { startPostgres, startRedis } from '../scripts/lib/services.mjs'
import type { AnswerSpec } from './lib/answer-spec.ts'
import { atEnd, runBench } from './lib/ending.ts'
import type { StreamResult } from './lib/load.ts'
import { formatFigure, median, quantile, sleep, sum } from './lib/numbers.ts'
import { type OurServer, startOurs } from './lib/our-server.ts'
import { addPeople, type Person } from './lib/people.ts'
import { ledgerProblems } from './lib/stored-answers.ts'
import { streamOf } from './lib/stream-levels.ts'
import { postgresCpu, usage } from './lib/usage.ts'
import { startWorker, type Worker } from './lib/workers.ts'

/**
 * The same work by one, two and four servers behind a balancer, on one Postgres and one Redis: what an exchange costs
 * the servers and the database, and how many a second there can be. Run: npm run bench:fleet -- [--as-is]
 */

const LIMIT_SECONDS = 300
const SIZES = [1, 2, 4]
/** Answers at the pace of a usual model. */
const CALM = { count: 60, chunks: 200, gapMs: 20, rampMs: 4000 }
/** Short answers all at once, to measure the throughput. */
const RUSH = { count: 200, chunks: 10, gapMs: 0, rampMs: 0 }
/** A server still stores and settles when the last reader has left. */
const SETTLE_MS = 1000

interface Measured {
  servers: number
  exchangesPerSecond: number
  /** Per exchange of the CALM load. */
  serverCpuMs: number
  postgresCpuMs: number
  statements: number
  walKib: number
  connections: number
  mib: number
  firstWord: { p50: number; p99: number }
  failures: string[]
}

if (!process.argv.includes('--as-is')) await ensureBuilt()
await runBench(LIMIT_SECONDS, async () => {
  const postgres = await startPostgres({ shared_preload_libraries: 'pg_stat_statements', max_connections: 300 })
  const redis = await startRedis()
  if (!postgres || !redis) throw new Error('Нужны Postgres и Redis: установите их')
  atEnd(redis.stop)
  atEnd(postgres.stop)
  const counters = new pg.Client({ connectionString: postgres.url })
  await counters.connect()
  atEnd(() => counters.end())
  await counters.query('create extension pg_stat_statements')
  const [model, load, balancer] = [await startWorker('mock-model'), await startWorker('load'), await startBalancer()]
  const start = <T>(prepare: Parameters<typeof startOurs<T>>[2]) =>
    startOurs({ embedded: false, url: postgres.url, origin: balancer.url, redisUrl: redis.url }, model.port, prepare)
  const first = await start((db, origin) => addPeople(db, RUSH.count, origin))
  const servers: OurServer[] = [first]
  const measured: Measured[] = []
  for (const size of SIZES) {
    while (servers.length < size) servers.push(await start(async () => null))
    balancer.use(servers.map(({ port }, i) => ({ name: `server-${i}`, port })))
    console.log(`Серверов: ${size}…`)
    const port = Number(new URL(balancer.url).port)
    measured.push(await measure({ load, counters, servers, port, people: first.prepared }))
  }
  print(measured)
  const failures = measured.flatMap((one) => one.failures)
  for (const failure of failures.slice(0, 5)) console.log(`  ошибка: ${failure}`)
  const problems = await first.stopAndRead(ledgerProblems)
  console.log(`Нарушений в учёте: ${problems.length}.`)
  return failures.length === 0 && problems.length === 0
})

interface Stage {
  load: Worker
  counters: pg.Client
  servers: OurServer[]
  port: number
  people: Person[]
}

async function measure(stage: Stage): Promise<Measured> {
  const { counters, servers } = stage
  await run(stage, { ...CALM, count: 10, rampMs: 500 })
  const before = { cpu: cpuOf(servers), postgres: postgresCpu(), ...(await countersOf(counters)) }
  const calm = await run(stage, CALM)
  const { connections } = await countersOf(counters)
  await sleep(SETTLE_MS)
  const after = await countersOf(counters)
  const serverCpu = cpuOf(servers) - before.cpu
  const databaseCpu = postgresCpu() - before.postgres
  const rush = await run(stage, RUSH)
  const good = calm.filter(({ failure }) => !failure)
  const waits = good.map(({ firstAt, sentAt }) => firstAt - sentAt)
  const seconds =
    (Math.max(...rush.map(({ endedAt }) => endedAt)) - Math.min(...rush.map(({ sentAt }) => sentAt))) / 1000
  return {
    servers: servers.length,
    exchangesPerSecond: rush.length / seconds,
    serverCpuMs: (serverCpu * 1000) / calm.length,
    postgresCpuMs: (databaseCpu * 1000) / calm.length,
    statements: (after.statements - before.statements) / calm.length,
    walKib: (after.wal - before.wal) / 1024 / calm.length,
    connections,
    mib: sum(servers.map(({ pid }) => usage(pid).mib)),
    firstWord: { p50: median(waits), p99: quantile(waits, 0.99) },
    failures: [...calm, ...rush].flatMap(({ failure }) => failure ?? []),
  }
}

async function run(
  { load, port, people }: Stage,
  { count, chunks, gapMs, rampMs }: typeof CALM,
): Promise<StreamResult[]> {
  const streams = await Promise.all(
    Array.from({ length: count }, (_, i) => {
      const spec: AnswerSpec = { kind: 'stream', chunks, gapMs, nonce: randomBytes(3).toString('hex') }
      return streamOf({ people, port }, spec, i)
    }),
  )
  return load.ask<StreamResult[]>({ port, format: 'answer', rampMs, streams })
}

function cpuOf(servers: OurServer[]): number {
  return sum(servers.map(({ pid }) => usage(pid).cpu))
}

async function countersOf(counters: pg.Client) {
  const { rows } = await counters.query(`
    select (select sum(calls) from pg_stat_statements)::float8 as statements,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
      (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as connections`)
  return rows[0] as { statements: number; wal: number; connections: number }
}

function print(measured: Measured[]): void {
  const rows: [string, (one: Measured) => number][] = [
    ['коротких обменов в секунду', (one) => one.exchangesPerSecond],
    ['процессор серверов на обмен, мс', (one) => one.serverCpuMs],
    ['процессор Postgres на обмен, мс', (one) => one.postgresCpuMs],
    ['запросов к базе на обмен', (one) => one.statements],
    ['WAL на обмен, КиБ', (one) => one.walKib],
    ['соединений с Postgres', (one) => one.connections],
    ['память серверов вместе, МиБ', (one) => one.mib],
    ['до первого слова, p50, мс', (one) => one.firstWord.p50],
    ['до первого слова, p99, мс', (one) => one.firstWord.p99],
  ]
  const width = Math.max(...rows.map(([what]) => what.length))
  console.log(`\n${'Серверов'.padEnd(width)}  ${measured.map(({ servers }) => String(servers).padStart(8)).join('')}`)
  for (const [what, read] of rows)
    console.log(`${what.padEnd(width)}  ${measured.map((one) => formatFigure(read(one)).padStart(8)).join('')}`)
}
