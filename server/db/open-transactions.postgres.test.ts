import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Chat, startChat } from '#server/features/answers/testing/chat.ts'
import { type Instance, openInstance } from '#server/instances/instance.ts'
import { openLog } from '#server/lib/log.ts'
import { saysSlowly } from '#server/llm/testing/fake-openai.ts'
import { openTestDatabase, type TestDatabase } from '#server/testing/database.ts'

const WATCH_MS = 4000
/** Between two statements a transaction does nothing but return to the event loop. */
const IDLE_SECONDS = 1

/** Transactions that wait for their server, and snapshots that outlive their statement. */
const FORGOTTEN = `select state, query, backend_xmin::text as snapshot, extract(epoch from now() - xact_start) as age
  from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'active' and xact_start is not null
    and now() - state_change > make_interval(secs => ${IDLE_SECONDS})`

/** What an upgrade meets: an index that is built concurrently waits for every open snapshot. */
describe.skipIf(!('url' in inject('snapshot')))('while answers are written', () => {
  let database: TestDatabase
  let instance: Instance
  let chat: Chat
  let other: pg.Client
  beforeAll(async () => {
    database = await openTestDatabase()
    instance = await openInstance({ db: database.db, lockUrl: database.url, log: openLog('silent') })
    chat = await startChat({ database, deps: { instance }, startSymbols: 100_000 })
    other = new pg.Client({ connectionString: database.url ?? '' })
    await other.connect()
  })
  afterAll(async () => {
    await other.end()
    await instance.close()
    await chat.close()
    await database.close()
  })

  async function startAnswer() {
    chat.provider.play(saysSlowly(60, ...Array.from({ length: 100 }, (_, i) => `слово${i} `)))
    const anna = await chat.person()
    const answer = await anna.send(await anna.newThread(), { content: 'Скажи' })
    await answer.until(() => answer.text().includes('слово2'))
    return answer
  }

  test('no transaction and no snapshot outlives its statement (S10.1203)', async () => {
    const answer = await startAnswer()
    const migrating = database.exclusively(() => pause(WATCH_MS))
    const found: unknown[] = []
    for (const until = performance.now() + WATCH_MS; performance.now() < until; await pause(100))
      found.push(...(await other.query(FORGOTTEN)).rows)
    expect(found).toEqual([])
    await migrating
    expect(await answer.message()).toMatchObject({ status: 'complete' })
  })

  test('an index is built concurrently before they end (S10.1203)', async () => {
    const answer = await startAnswer()
    await other.query(`set statement_timeout = '4s'; create table probe as select g as id from generate_series(1, 9) g`)
    await database.exclusively(() =>
      other.query('create index concurrently probe_id on probe (id)').then(() => undefined),
    )
    expect(answer.events.at(-1)?.type).not.toBe('done')
    expect(await answer.message()).toMatchObject({ status: 'complete' })
  })
})
