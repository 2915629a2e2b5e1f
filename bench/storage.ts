import pg from 'pg'
import { type Db, openDatabase } from '#server/db/client.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { messages, threads } from '#server/db/schema.ts'
import { storeChunks } from '#server/features/answers/rows.ts'
import { newId } from '#server/lib/ids.ts'
import { ensureBuilt } from '../scripts/lib/built.mjs'
import { startPostgres } from '../scripts/lib/services.mjs'
import { writeSpec } from './lib/answer-spec.ts'
import { atEnd, runBench } from './lib/ending.ts'
import { goals } from './lib/goals.ts'
import { startOurs } from './lib/our-server.ts'
import { addPeople, MODEL, type Person } from './lib/people.ts'
import { printGoals, printTable } from './lib/table.ts'
import { startWorker } from './lib/workers.ts'

/**
 * What an answer costs the database, by its own counters: WAL of a store at different lengths of the answer, and the
 * statements of an exchange. Run: npm run bench:storage
 */

const LIMIT_SECONDS = 180
const ANSWERS = 50
/** The length of the answer between two stores. */
const STORE_SYMBOLS = 300
const LENGTHS = [300, 3000, 20_000, 60_000]
const EXCHANGES = 20

await ensureBuilt()
await runBench(LIMIT_SECONDS, async () => {
  const postgres = await startPostgres({ shared_preload_libraries: 'pg_stat_statements' })
  if (!postgres) throw new Error('Postgres не найден: установите его')
  atEnd(postgres.stop)
  const counters = new pg.Client({ connectionString: postgres.url })
  await counters.connect()
  atEnd(() => counters.end())
  await counters.query('create extension pg_stat_statements')
  const model = await startWorker('mock-model')
  const server = await startOurs({ embedded: false, url: postgres.url }, model.port, (db, origin) =>
    addPeople(db, EXCHANGES, origin),
  )
  const statements = await statementsOfExchange(counters, server.url, server.prepared)
  const rows = await server.stopAndRead(async () => {
    const database = await openDatabase({ url: postgres.url }, sqlFolders())
    const found = await walOfStores(database.db, counters, server.prepared[0]?.id ?? '')
    await database.close()
    return found
  })
  printGoals([
    printTable(
      'WAL одной записи, байт',
      rows.map(({ length, wal }) => ({
        what: `в ответе уже ${length} символов`,
        ours: wal,
        goal: { most: goals.storage.walBytes },
      })),
    ),
    printTable('Обмен', [
      { what: 'запросов к базе', ours: statements, goal: { most: goals.storage.statements }, isExact: true },
    ]),
  ])
  return true
})

/** The second message of a thread, so that there is a history; its answer is short enough to need one hold. */
async function statementsOfExchange(counters: pg.Client, url: string, people: Person[]): Promise<number> {
  const talks: { person: Person; threadId: string }[] = []
  for (const person of people) {
    const created = await call(url, person, '/api/threads', { Model: { connect: { id: MODEL } } })
    const threadId = ((await created.json()) as { id: string }).id
    await (await sendQuestion(url, person, threadId)).text()
    talks.push({ person, threadId })
  }
  // Waits for the thread titles, whose statements must not be counted.
  await new Promise((done) => setTimeout(done, 2000))
  await counters.query('select pg_stat_statements_reset()')
  for (const { person, threadId } of talks) await (await sendQuestion(url, person, threadId)).text()
  const { rows } = await counters.query<{ query: string; calls: string }>(
    `select query, calls from pg_stat_statements
     where query not like '%instances%' and query not like '%jobs.%' and query not like '%pg_stat%'
       and toplevel and query not like '%email_outbox%' and query not like '%stat\\_%' order by calls desc`,
  )
  const own = rows.filter(({ calls }) => Number(calls) >= people.length / 2)
  if (process.argv.includes('--show'))
    for (const { calls, query } of own) console.log(calls, query.slice(0, 160).replaceAll('\n', ' '))
  return own.reduce((sum, { calls }) => sum + Number(calls), 0) / people.length
}

function sendQuestion(url: string, person: Person, threadId: string): Promise<Response> {
  const content = writeSpec({ kind: 'stream', chunks: 20, gapMs: 5, nonce: threadId.slice(-6) })
  return call(url, person, `/api/threads/${threadId}/message`, { id: crypto.randomUUID(), content })
}

function call(url: string, person: Person, path: string, body: unknown): Promise<Response> {
  const headers = {
    ...person.headers,
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
  }
  return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function walOfStores(db: Db, counters: pg.Client, userId: string) {
  const threadId = newId()
  await db.insert(threads).values({ id: threadId, userId, title: 'Измерение' })
  const answers = await Promise.all(Array.from({ length: ANSWERS }, () => begin(db, threadId, userId)))
  const found: { length: number; wal: number }[] = []
  for (const length of LENGTHS) {
    // After a checkpoint the first change of a page writes the whole page to the WAL; a first store takes that cost.
    await counters.query('checkpoint')
    await store(db, answers, length - STORE_SYMBOLS)
    const before = await walPosition(counters)
    await store(db, answers, length)
    found.push({ length, wal: Math.round(((await walPosition(counters)) - before) / ANSWERS) })
  }
  await db.delete(messages)
  return found
}

async function begin(db: Db, threadId: string, userId: string): Promise<{ id: string; hold: string }> {
  const id = newId()
  const run = { hold: `answer:${id}:${newId()}`, offset: 0, input: 6, inputRate: 1, outputRate: 1 }
  const row = { id, threadId, userId, role: 'assistant', content: '', status: 'streaming', run } as const
  await db.insert(messages).values({ ...row, instance: 'bench' })
  return { id, hold: run.hold }
}

/** One store of all answers, as the engine does it. */
async function store(db: Db, answers: { id: string; hold: string }[], at: number): Promise<void> {
  const text = 'слово и ещё '.repeat(STORE_SYMBOLS / 12)
  await storeChunks(
    db,
    answers.map((answer) => ({ ...answer, at, upto: at + text.length, text })),
  )
}

async function walPosition(counters: pg.Client): Promise<number> {
  const { rows } = await counters.query<{ at: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as at`,
  )
  return Number(rows[0]?.at)
}
