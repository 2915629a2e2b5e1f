import { sql } from 'drizzle-orm'
import PgBoss from 'pg-boss'
import * as z from 'zod/mini'
import type { Database, Db } from '#server/db/client.ts'
import { retryForLocks } from '#server/db/locks.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { countJobError } from '#server/http/metrics.ts'
import { retryWhileUnavailable } from '#server/work/retry.ts'
import { type IsDue, minutesSince, readCron } from './cron.ts'

/** Scheduled work, stored in the database: it survives restarts, and only one instance runs it. */
export interface Jobs {
  /** Schedules `work` by a cron expression (to the minute); runs do not overlap. */
  every: (name: string, cron: string, work: () => Promise<void>, options?: JobOptions) => Promise<void>
  /** Runs it once, as soon as possible. */
  soon: (name: string) => Promise<void>
  close: () => Promise<void>
}

export interface JobOptions {
  /** How long a run may take. A longer run, or one whose process died, is repeated. */
  limitSeconds?: number
}

export interface OpenJobs extends Jobs {
  /** Creates the queues of everything scheduled so far. */
  prepare: () => Promise<void>
  /** Starts working on it. */
  start: () => Promise<void>
}

interface Planned {
  name: string
  cron: string
  isDue: IsDue
  work: () => Promise<void>
  limitSeconds: number
}

const SHORT_SECONDS = 60
const POLL_SECONDS = 5
const MAINTENANCE_SECONDS = 30
const TICK_MS = 15_000
const STOP_MS = 1000
const UNAVAILABLE_MS = 60_000
const SCHEMA = 'jobs'
const POLICY = 'stately'

export function openJobs(
  database: Database,
  onError: (error: unknown) => void,
  { pollSeconds = POLL_SECONDS, maintenanceSeconds = MAINTENANCE_SECONDS, clockMs = TICK_MS, now = Date.now } = {},
): OpenJobs {
  const boss = new PgBoss({
    db: { executeSql: retryingCompletion(database.execute, onError) },
    schema: SCHEMA,
    maintenanceIntervalSeconds: maintenanceSeconds,
    // The scheduler of pg-boss blocks the event loop for 60–150 ms twice a minute, so `sendDue` replaces it.
    schedule: false,
  })
  boss.on('error', onError)
  const planned = new Map<string, Planned>()
  const wanted = new Set<string>()
  let isOpen = false
  let started = false
  let clock: NodeJS.Timeout | undefined
  let sentUntil = 0

  /** Every instance sends the due jobs; the database accepts only the first of each minute. */
  async function sendDue(): Promise<void> {
    const until = now()
    const minutes = minutesSince(sentUntil, until)
    for (const { name, isDue } of planned.values())
      if (minutes.some(isDue)) await boss.send(name, {}, { singletonSeconds: 60 })
    // Set only after all were sent, so that a failed one is sent again.
    sentUntil = until
  }

  async function sendRepeatedly(): Promise<void> {
    await sendDue().catch(onError)
    if (started) clock = setTimeout(sendRepeatedly, clockMs)
  }

  return {
    every: async (name, cron, work, { limitSeconds = SHORT_SECONDS } = {}) => {
      planned.set(name, { name, cron, isDue: readCron(cron), work, limitSeconds })
    },
    soon: async (name) => {
      if (started) await boss.send(name, {})
      else wanted.add(name)
    },
    prepare: async () => {
      await database.exclusively(async () => {
        await boss.start()
        await makeQueues(boss, database, [...planned.values()])
      })
      isOpen = true
    },
    start: async () => {
      for (const { name, work } of planned.values()) {
        // `close` was called meanwhile.
        if (!isOpen) return
        await boss.work(name, { pollingIntervalSeconds: pollSeconds }, async () => {
          try {
            await work()
          } catch (error) {
            countJobError(name)
            onError(error)
            throw error
          }
        })
      }
      started = true
      for (const name of wanted) await boss.send(name, {})
      sentUntil = now() - 60_000
      void sendRepeatedly()
    },
    close: async () => {
      if (!isOpen) return
      isOpen = started = false
      clearTimeout(clock)
      await boss.stop({ graceful: true, timeout: STOP_MS, wait: true })
    },
  }
}

/**
 * Creates and updates queues and schedules as this build declares them; schedules that it does not have are removed.
 * The schedules are for instances of the previous release, which run by them.
 */
async function makeQueues(boss: PgBoss, { execute }: Database, jobs: Planned[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const schedules = new Map((await boss.getSchedules()).map((schedule) => [schedule.name, schedule.cron]))
  for (const { name, cron, limitSeconds } of jobs) {
    const options = { name, policy: POLICY, retryLimit: 2, expireInSeconds: limitSeconds } as const
    const queue = known.get(name)
    if (!queue) await retryForLocks(name, () => boss.createQueue(name, options))
    else if (queue.policy !== POLICY || queue.expireInSeconds !== limitSeconds) {
      await boss.updateQueue(name, options)
      // Waiting runs with the old options are removed; the running one gets the new limit.
      await boss.purgeQueue(name)
      await execute(`update ${SCHEMA}.job set policy = $2, expire_in = $3 where name = $1 and state = 'active'`, [
        name,
        POLICY,
        `${limitSeconds} seconds`,
      ])
    }
    if (schedules.get(name) !== cron) await boss.schedule(name, cron)
    schedules.delete(name)
  }
  for (const name of schedules.keys()) {
    await boss.unschedule(name)
    await boss.purgeQueue(name)
  }
}

/**
 * pg-boss does not await the statement that ends a run, so its rejection would be unhandled. The statement is retried
 * for a minute; after that the run counts as lost and is repeated.
 */
function retryingCompletion(execute: Database['execute'], onError: (error: unknown) => void): Database['execute'] {
  return async (text, values) => {
    if (!/state = 'completed'|deleted_jobs AS/.test(text)) return execute(text, values)
    try {
      return await retryWhileUnavailable(() => execute(text, values), { forMs: UNAVAILABLE_MS })
    } catch (error) {
      onError(error)
      return { rows: [{ count: 0 }] }
    }
  }
}

const Counts = z.object({
  waiting: z.coerce.number(),
  running: z.coerce.number(),
  failed: z.coerce.number(),
  oldest: z.nullable(z.coerce.date()),
})
export type Queue = z.infer<typeof Counts>

/** Waiting and running jobs and those that failed within a day, without pg-boss's own queues. */
export async function readQueue(db: Db): Promise<Queue> {
  const none = { waiting: 0, running: 0, failed: 0, oldest: null }
  const exists = sql`select to_regclass('jobs.job') is not null as known`
  const [schema] = await rowsOf(db, exists, z.object({ known: z.boolean() }))
  if (!schema?.known) return none
  const counts = sql`
    select count(*) filter (where due) as waiting, count(*) filter (where state = 'active') as running,
      count(*) filter (where state = 'failed' and completed_on > now() - interval '1 day') as failed,
      min(start_after) filter (where due) as oldest
    from (select state, completed_on, start_after, state in ('created', 'retry') and start_after <= now() as due
          from jobs.job where name not like '\\_\\_pgboss%') as j`
  const [queue] = await rowsOf(db, counts, Counts)
  return queue ?? none
}
