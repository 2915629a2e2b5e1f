import { eq, sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import type { Db } from '#server/db/client.ts'
import { jobRuns } from '#server/db/schema.ts'
import { testDatabase } from '#server/testing/database.ts'
import { createGate } from '#server/testing/gate.ts'
import { endInstance, registerInstance } from '#server/testing/instance.ts'
import { type Job, type Jobs, openJobs, readQueue } from './jobs.ts'

/** A time of the day that does not come while the tests run. */
const LATER = `0 ${(new Date().getUTCHours() + 12) % 24} * * *`

const closing: (() => Promise<void>)[] = []
const database = await testDatabase()
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await database.db.delete(jobRuns)
})

const fail = (error: unknown) => expect.fail(String(error))

interface InstanceJobs extends Jobs {
  id: string
}
async function anInstance(
  jobs: Job[],
  onError: (error: unknown) => void = fail,
  db: Db = database.db,
): Promise<InstanceJobs> {
  const instance = await registerInstance(database.db)
  const opened = openJobs({ db, instance, onError }, jobs)
  await opened.prepare()
  closing.push(opened.close)
  return { ...opened, id: instance.id }
}

async function rowOf(name: string) {
  const [row] = await database.db.select().from(jobRuns).where(eq(jobRuns.name, name))
  return row
}
const isIdle = async (name: string) => (await rowOf(name))?.instance === null
const makeDue = (name: string, ago = '1 second') =>
  database.db
    .update(jobRuns)
    .set({ nextAt: sql`now() - ${ago}::interval` })
    .where(eq(jobRuns.name, name))
const runNow = async (jobs: Jobs, name: string) => {
  await makeDue(name)
  await jobs.runDue()
}
const isDue = async ({ waits }: Jobs) => {
  const { rows } = (await database.db.execute(sql`select ${waits} as due`)) as unknown as { rows: { due: boolean }[] }
  return rows[0]?.due
}

test('a due job runs once, on either of two instances (S10.15)', async () => {
  const ran: string[] = []
  const declared = (by: string): Job[] => [
    { name: 'daily', cron: LATER, run: async () => void ran.push(by) },
    { name: 'other', cron: LATER, run: async () => void ran.push('too early') },
  ]
  const [first, second] = [await anInstance(declared('first')), await anInstance(declared('second'))]
  expect(await isDue(first)).toBe(false)
  await Promise.all([first.runDue(), second.runDue()])
  expect(ran).toEqual([])
  await makeDue('daily')
  expect(await isDue(second)).toBe(true)
  for (let i = 0; i < 3; i++) await Promise.all([first.runDue(), second.runDue()])
  await expect.poll(() => isIdle('daily')).toBe(true)
  for (let i = 0; i < 3; i++) await Promise.all([first.runDue(), second.runDue()])
  expect(ran).toHaveLength(1)
  const nextAt = (await rowOf('daily'))?.nextAt ?? new Date(0)
  expect(nextAt.getTime()).toBeGreaterThan(Date.now())
  expect(nextAt.getUTCMinutes()).toBe(0)
})

test('times that were missed are run once at the start', async () => {
  let runs = 0
  const job = { name: 'hourly', cron: '0 * * * *', run: async () => void runs++ }
  const former = await anInstance([job])
  await former.close()
  await makeDue('hourly', '5 hours')
  const jobs = await anInstance([job])
  for (let i = 0; i < 2; i++) {
    await jobs.runDue()
    await expect.poll(() => isIdle('hourly')).toBe(true)
  }
  expect(runs).toBe(1)
})

test('a failed run is reported and tried twice more', async () => {
  const errors: unknown[] = []
  const run = async () => {
    throw new Error('not today')
  }
  const jobs = await anInstance([{ name: 'stumble', cron: LATER, run }], (error) => errors.push(error))
  const waits: number[] = []
  for (let i = 1; i <= 3; i++) {
    await runNow(jobs, 'stumble')
    await expect.poll(() => rowOf('stumble')).toMatchObject({ instance: null, failures: i })
    waits.push(((await rowOf('stumble'))?.nextAt.getTime() ?? 0) - Date.now())
  }
  expect(errors).toMatchObject(Array(3).fill({ message: 'not today' }))
  expect(waits.map((ms) => ms < 70_000)).toEqual([true, true, false])
  expect(await readQueue(database.db)).toMatchObject({ failed: 1, running: 0, waiting: 0 })
})

test('a run whose instance died is done again at once', async () => {
  let runs = 0
  const job = (run: () => Promise<void>) => ({ name: 'long', cron: LATER, run, limitSeconds: 3600 })
  const victim = await anInstance([job(() => new Promise(() => {}))])
  await runNow(victim, 'long')
  const jobs = await anInstance([job(async () => void runs++)])
  await jobs.runDue()
  expect(runs).toBe(0)
  await endInstance(database.db, victim.id)
  expect(await readQueue(database.db)).toMatchObject({ waiting: 1 })
  await jobs.runDue()
  await expect.poll(() => isIdle('long')).toBe(true)
  expect(runs).toBe(1)
})

test('a run longer than its limit is abandoned and done again', async () => {
  const errors: unknown[] = []
  let runs = 0
  const run = () => {
    runs += 1
    return runs === 1 ? new Promise<void>(() => {}) : Promise.resolve()
  }
  const jobs = await anInstance([{ name: 'slow', cron: LATER, run, limitSeconds: 1 }], (error) => errors.push(error))
  await runNow(jobs, 'slow')
  await expect.poll(() => isIdle('slow'), { timeout: 10_000 }).toBe(true)
  expect(errors).toMatchObject([{ message: 'A run took longer than 1 s' }])
  await makeDue('slow')
  await jobs.runDue()
  await expect.poll(() => rowOf('slow')).toMatchObject({ instance: null, failures: 0 })
  expect(runs).toBe(2)
})

test('a run whose limit has passed is done again by another instance', async () => {
  let runs = 0
  const victim = await anInstance([{ name: 'lost', cron: LATER, run: () => new Promise(() => {}) }])
  await runNow(victim, 'lost')
  await database.db.update(jobRuns).set({ leaseUntil: sql`now() - interval '1 second'` })
  const jobs = await anInstance([{ name: 'lost', cron: LATER, run: async () => void runs++ }])
  await jobs.runDue()
  await expect.poll(() => isIdle('lost')).toBe(true)
  expect(runs).toBe(1)
})

test('closing lets short runs end, cuts off long runs and starts nothing (S10.495)', async () => {
  const [short, long] = [createGate(), createGate()]
  const ended: string[] = []
  const jobs = await anInstance([
    { name: 'short', cron: LATER, run: () => short.opened.then(() => void ended.push('short')) },
    { name: 'long', cron: LATER, run: () => long.opened },
  ])
  await runNow(jobs, 'short')
  await runNow(jobs, 'long')
  const closed = jobs.close()
  short.open()
  await closed
  expect(ended).toEqual(['short'])
  expect(await rowOf('long')).toMatchObject({ instance: jobs.id, failures: 0 })
  await makeDue('short')
  await jobs.runDue()
  expect(ended).toEqual(['short'])
})

test('a run’s end is stored even after a database outage', async () => {
  let rejections = 0
  const db = new Proxy(database.db, {
    get: (target, name, receiver) => {
      if (name === 'update' && hasRun && rejections < 2) {
        rejections += 1
        throw Object.assign(new Error('Connection terminated unexpectedly'), { code: '57P01' })
      }
      return Reflect.get(target, name, receiver)
    },
  })
  let hasRun = false
  const run = async () => {
    hasRun = true
  }
  const jobs = await anInstance([{ name: 'quick', cron: LATER, run }], fail, db)
  await runNow(jobs, 'quick')
  await expect.poll(() => isIdle('quick'), { timeout: 10_000 }).toBe(true)
  expect(rejections).toBe(2)
})

test('a start removes jobs of other builds and keeps the sooner time', async () => {
  const run = async () => {}
  await anInstance([
    { name: 'kept', cron: LATER, run },
    { name: 'removed', cron: LATER, run },
  ])
  await anInstance([{ name: 'kept', cron: '* * * * *', run }])
  expect(await rowOf('removed')).toBeUndefined()
  expect((await rowOf('kept'))?.nextAt.getTime()).toBeLessThan(Date.now() + 61_000)
})
