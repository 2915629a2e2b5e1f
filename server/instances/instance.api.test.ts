import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import type { Db } from '#server/db/client.ts'
import { instances } from '#server/db/schema.ts'
import { openLog } from '#server/lib/log.ts'
import { testDatabase } from '#server/testing/database.ts'
import { type Instance, openInstance, type StoredOutage, someInstanceEnded } from './instance.ts'

const opened: Instance[] = []
const database = await testDatabase()
// Only `Date` of this process is faked: the database has its own clock, and the timers of heartbeats are real.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(async () => {
  vi.useRealTimers()
  for (const instance of opened.splice(0)) await instance.close()
  await database.db.delete(instances)
})

const isPostgres = 'url' in inject('snapshot')
const log = openLog('silent')
async function open(name: string): Promise<Instance> {
  const instance = await openInstance({ db: database.db, lockUrl: database.url, log, name })
  opened.push(instance)
  return instance
}
const isAlive = async (db: Db, id: string) => (await db.$count(instances, sql`id = ${id} and ended_at is null`)) === 1
const silence = (id: string, seconds: number) =>
  database.db.execute(sql`update instances set seen_at = now() - make_interval(secs => ${seconds}) where id = ${id}`)
/** An instance that died: a row without a lock. */
async function stoppedInstance(name: string, seconds: number): Promise<string> {
  const id = `dead-${name}-${seconds}`
  await database.db.insert(instances).values({ id, name })
  await silence(id, seconds)
  return id
}
/** Longer than SETTLE_MS, during which no instance is declared stale after an outage of the database. */
const SETTLED_MS = 6500
const later = (ms: number) => vi.setSystemTime(Date.now() + ms)

test.skipIf(isPostgres)('on the embedded database all earlier instances are dead', async () => {
  const former = await stoppedInstance('any', 0)
  const own = await open('any')
  expect(await own.beat()).toBe(1)
  expect(await isAlive(database.db, former)).toBe(false)
  expect(await isAlive(database.db, own.id)).toBe(true)
})

test.runIf(isPostgres)('an earlier start ends at once, another instance after four silent seconds', async () => {
  const own = await open('one')
  const former = await stoppedInstance('one', 2)
  // A start may take longer than the silence after which others count as dead.
  const beforeSlowStart = await stoppedInstance('one', 20)
  const neighbour = await stoppedInstance('two', 5)
  expect(await own.beat()).toBe(2)
  for (const id of [former, beforeSlowStart]) expect(await isAlive(database.db, id)).toBe(false)
  expect(await isAlive(database.db, neighbour)).toBe(true)
  later(SETTLED_MS)
  expect(await own.beat()).toBe(1)
  expect(await isAlive(database.db, neighbour)).toBe(false)
})

test.runIf(isPostgres)('a process that holds its lock is alive, even when silent', async () => {
  const own = await open('one')
  const twin = await open('one')
  const busy = await open('two')
  later(SETTLED_MS)
  for (const id of [twin.id, busy.id]) await silence(id, 10)
  expect(await own.beat()).toBe(0)
  expect(await isAlive(database.db, busy.id)).toBe(true)
})

test.runIf(isPostgres)('no instance is declared dead right after a database outage', async () => {
  const own = await open('one')
  const neighbour = await stoppedInstance('two', 90)
  later(SETTLED_MS)
  const { rows } = await database.execute(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_advisory_lock%'`,
  )
  expect(rows.length).toBeGreaterThan(0)
  await new Promise((done) => setTimeout(done, 300))
  expect(await own.beat()).toBe(0)
  expect(await isAlive(database.db, neighbour)).toBe(true)
  const beatLater = () => {
    later(SETTLED_MS)
    return own.beat()
  }
  await expect.poll(beatLater).toBe(1)
})

test.runIf(isPostgres)('an instance that was declared dead continues under another id', async () => {
  const own = await open('one')
  const former = own.id
  await database.db.execute(sql`update instances set ended_at = now() where id = ${former}`)
  await expect.poll(() => own.id, { timeout: 30_000 }).not.toBe(former)
  await expect.poll(() => isAlive(database.db, own.id), { timeout: 30_000 }).toBe(true)
})

test('a closed instance leaves its work to others at once', async () => {
  const own = await open('one')
  await own.close()
  expect(await isAlive(database.db, own.id)).toBe(false)
})

test('a heartbeat tells which kinds of work wait', async () => {
  const own = await open('one')
  const told: string[][] = []
  own.watch({ nothing: sql`false`, emails: sql`1 = 1`, ended: someInstanceEnded }, (names) => told.push(names))
  await own.beat()
  expect(told.at(-1)).toEqual(['emails'])
  await stoppedInstance('one', 5)
  await own.beat()
  expect(told.at(-1)).toEqual(['emails', 'ended'])
  await own.beat()
  expect(told.at(-1)).toEqual(['emails', 'ended'])
})

test('an instance stores its outages when they change (S10.277)', async () => {
  let outages: StoredOutage[] = []
  const options = { db: database.db, lockUrl: database.url, log, name: 'watched', build: 'b7', outages: () => outages }
  const own = await openInstance(options)
  opened.push(own)
  const stored = async () => {
    const [row] = await database.db.select().from(instances).where(eq(instances.id, own.id))
    return row && [row.build, row.outages]
  }
  expect(await stored()).toEqual(['b7', null])
  outages = [{ part: 'redis', since: '2026-11-16T07:00:00.000Z' }]
  await expect.poll(stored).toEqual(['b7', outages])
  outages = []
  await expect.poll(stored).toEqual(['b7', []])
})
