import PgBoss from 'pg-boss'
import { afterEach, expect, test } from 'vitest'
import type { Database } from '#server/db/client.ts'
import { openTestDatabase } from '#server/testing/database.ts'
import { type OpenJobs, openJobs } from './jobs.ts'

const NEVER = '0 0 1 1 *'
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function aDatabase(): Promise<Database> {
  const database = await openTestDatabase()
  closing.push(database.close)
  return database
}

const fail = (error: unknown) => expect.fail(String(error))
function anInstance(database: Database, onError: (error: unknown) => void = fail, now = Date.now): OpenJobs {
  const jobs = openJobs(database, onError, { pollSeconds: 0.5, maintenanceSeconds: 1, clockMs: 50, now })
  closing.push(jobs.close)
  return jobs
}

async function rowsOf<Row>({ execute }: Database, query: string): Promise<Row[]> {
  return (await execute(query)).rows as Row[]
}

/** Prepares the queues as an earlier build left them. */
async function withOldQueues(database: Database, work: (boss: PgBoss) => Promise<void>): Promise<void> {
  const boss = new PgBoss({ db: { executeSql: database.execute }, schema: 'jobs', supervise: false, schedule: false })
  await boss.start()
  await work(boss)
  await boss.stop({ graceful: false })
}

test('work runs when it is asked for, and of two instances one does it (S10.16)', async () => {
  const database = await aDatabase()
  const ran: string[] = []
  const [first, second] = [anInstance(database), anInstance(database)]
  await first.every('count', NEVER, async () => void ran.push('first'))
  await second.every('count', NEVER, async () => void ran.push('second'))
  await first.prepare()
  await first.start()
  await second.prepare()
  await second.start()
  await first.soon('count')
  await expect.poll(() => ran.length, { timeout: 15_000 }).toBe(1)
  // Proves that the other one does not run it too: both look for work every half second.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(ran).toHaveLength(1)
})

test('work runs once in the minute that its schedule names, on one of two instances, also when the clock was late (S10.16)', async () => {
  const database = await aDatabase()
  let time = Date.UTC(2026, 10, 16, 4, 12, 30)
  const ran: string[] = []
  for (const name of ['first', 'second']) {
    const jobs = anInstance(database, fail, () => time)
    await jobs.every('daily', '13 4 * * *', async () => void ran.push(name))
    await jobs.every('yearly', NEVER, async () => void ran.push('too early'))
    await jobs.prepare()
    await jobs.start()
  }
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect(ran).toEqual([])
  time = Date.UTC(2026, 10, 16, 4, 20, 5)
  await expect.poll(() => ran.length, { timeout: 15_000 }).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(ran).toHaveLength(1)
})

test('what could not be sent, because the database was away, is sent when it is back (S10.16)', async () => {
  const database = await aDatabase()
  let isAway = false
  const errors: unknown[] = []
  const execute: Database['execute'] = async (text, values) => {
    if (isAway && /insert into jobs\.job/i.test(text)) throw new Error('away')
    return database.execute(text, values)
  }
  let time = Date.UTC(2026, 10, 16, 4, 12, 30)
  let runs = 0
  const jobs = anInstance(
    { ...database, execute },
    (error) => errors.push(error),
    () => time,
  )
  await jobs.every('daily', '13 4 * * *', async () => {
    runs += 1
  })
  await jobs.prepare()
  await jobs.start()
  isAway = true
  time += 60_000
  await expect.poll(() => errors.length, { timeout: 15_000 }).toBeGreaterThan(0)
  time += 60_000
  isAway = false
  await expect.poll(() => runs, { timeout: 15_000 }).toBe(1)
})

test('work that is prepared begins with the start, and never after a close (S10.495)', async () => {
  const database = await aDatabase()
  let runs = 0
  const closed = anInstance(database)
  await closed.every('early', NEVER, async () => void runs++)
  await closed.soon('early')
  await closed.prepare()
  await closed.close()
  await closed.start()
  const { rows } = await database.execute(`select name from jobs.job where name = 'early'`)
  expect([rows, runs]).toEqual([[], 0])
  const jobs = anInstance(database)
  await jobs.every('early', NEVER, async () => void runs++)
  await jobs.soon('early')
  await jobs.prepare()
  await jobs.start()
  await expect.poll(() => runs, { timeout: 25_000 }).toBe(1)
})

test('a run that fails is reported and retried (S10.16)', async () => {
  const errors: unknown[] = []
  let tries = 0
  const jobs = anInstance(await aDatabase(), (error) => errors.push(error))
  await jobs.every('stumble', NEVER, async () => {
    tries += 1
    if (tries === 1) throw new Error('not today')
  })
  await jobs.soon('stumble')
  await jobs.prepare()
  await jobs.start()
  await expect.poll(() => tries, { timeout: 25_000 }).toBe(2)
  expect(errors).toMatchObject([{ message: 'not today' }])
})

test('a run whose process was killed is done again as soon as its limit has passed', async () => {
  const database = await aDatabase()
  let runs = 0
  const jobs = anInstance(database)
  await jobs.every('short', NEVER, async () => void runs++)
  await jobs.every('long', NEVER, async () => void runs++, { limitSeconds: 3600 })
  await withOldQueues(database, async (boss) => {
    for (const [name, expireInSeconds] of [
      ['short', 60],
      ['long', 3600],
    ] as const) {
      await boss.createQueue(name, { name, policy: 'stately', retryLimit: 2, expireInSeconds })
      await boss.send(name, {})
    }
  })
  await database.execute(`update jobs.job set state = 'active', started_on = now() - interval '61 seconds'`)
  await jobs.prepare()
  await jobs.start()
  await expect.poll(() => runs, { timeout: 15_000 }).toBe(1)
  expect(await rowsOf(database, `select name from jobs.job where state = 'active'`)).toEqual([{ name: 'long' }])
})

test('runs do not pile up while no instance works on them', async () => {
  const database = await aDatabase()
  const jobs = anInstance(database)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let runs = 0
  await jobs.every('slow', NEVER, async () => {
    runs += 1
    await released
  })
  await jobs.prepare()
  await jobs.start()
  await jobs.soon('slow')
  await expect.poll(() => runs, { timeout: 15_000 }).toBe(1)
  for (let i = 0; i < 17; i++) await jobs.soon('slow')
  expect(await rowsOf(database, `select 1 from jobs.job where name = 'slow' and state = 'created'`)).toHaveLength(1)
  release()
})

test('queues of an earlier build get the options of this one, and what is no longer planned is unscheduled', {
  timeout: 40_000,
}, async () => {
  const database = await aDatabase()
  await withOldQueues(database, async (boss) => {
    for (const name of ['kept', 'removed']) {
      await boss.createQueue(name, { name, policy: 'singleton', retryLimit: 2 })
      await boss.schedule(name, '* * * * *')
      for (let i = 0; i < 5; i++) await boss.send(name, {})
    }
    await boss.fetch('kept')
  })
  const jobs = anInstance(database)
  await jobs.every('kept', NEVER, async () => {}, { limitSeconds: 90 })
  await jobs.prepare()
  await jobs.start()
  expect(await rowsOf(database, `select policy, expire_seconds from jobs.queue where name = 'kept'`)).toEqual([
    { policy: 'stately', expire_seconds: 90 },
  ])
  expect(await rowsOf(database, 'select name, cron from jobs.schedule')).toEqual([{ name: 'kept', cron: NEVER }])
  expect(
    await rowsOf(
      database,
      `select name, state::text, policy, extract(epoch from expire_in)::int as seconds from jobs.job where name in ('kept', 'removed')`,
    ),
  ).toEqual([{ name: 'kept', state: 'active', policy: 'stately', seconds: 90 }])
})

test('the end of a run is stored although the database was unavailable at that moment', async () => {
  const database = await aDatabase()
  let rejections = 0
  const flaky: Database = {
    ...database,
    execute: async (text, values) => {
      if (text.includes("state = 'completed'") && text.includes('$3::jsonb') && rejections < 2) {
        rejections += 1
        throw new Error('Connection terminated unexpectedly')
      }
      return database.execute(text, values)
    },
  }
  const jobs = anInstance(flaky)
  await jobs.every('quick', NEVER, async () => {})
  await jobs.soon('quick')
  await jobs.prepare()
  await jobs.start()
  const states = () => rowsOf<{ state: string }>(database, `select state::text from jobs.job where name = 'quick'`)
  await expect.poll(states, { timeout: 15_000 }).toEqual([{ state: 'completed' }])
  expect(rejections).toBe(2)
})
