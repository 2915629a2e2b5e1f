import PgBoss from 'pg-boss'
import type { Database } from '#server/db/client.ts'
import { retryForLocks } from '#server/db/lock-retry.ts'
import { countJobError } from '#server/http/metrics.ts'
import { whileAway } from '#server/work/retry.ts'

/** Work that comes back by itself, kept in the database: it survives restarts, and of several instances one does it. */
export interface Jobs {
  /** Plans `work` by a cron line (minutes are the finest); a run that is still going is not joined by another. */
  every: (name: string, cron: string, work: () => Promise<void>, options?: JobOptions) => Promise<void>
  /** Runs it soon, whatever the cron line says. */
  soon: (name: string) => Promise<void>
  close: () => Promise<void>
}

export interface JobOptions {
  /** How long a run may take at most. One that takes longer, or whose process died, is run again. */
  limitSeconds?: number
}

export interface OpenJobs extends Jobs {
  /** Makes the queues and begins to work on what was planned until now. */
  start: () => Promise<void>
}

interface Planned {
  name: string
  cron: string
  work: () => Promise<void>
  limitSeconds: number
}

const SHORT_SECONDS = 60
const POLL_SECONDS = 5
const MAINTENANCE_SECONDS = 30
const STOP_MS = 1000
const AWAY_MS = 60_000
const SCHEMA = 'jobs'
const POLICY = 'stately'

export function openJobs(
  database: Database,
  onError: (error: unknown) => void,
  { pollSeconds = POLL_SECONDS, maintenanceSeconds = MAINTENANCE_SECONDS } = {},
): OpenJobs {
  const boss = new PgBoss({
    db: { executeSql: safely(database.execute, onError) },
    schema: SCHEMA,
    maintenanceIntervalSeconds: maintenanceSeconds,
  })
  boss.on('error', onError)
  const planned = new Map<string, Planned>()
  const wanted = new Set<string>()
  let started = false

  return {
    every: async (name, cron, work, { limitSeconds = SHORT_SECONDS } = {}) => {
      planned.set(name, { name, cron, work, limitSeconds })
    },
    soon: async (name) => {
      if (started) await boss.send(name, {})
      else wanted.add(name)
    },
    start: async () => {
      const jobs = [...planned.values()]
      await database.exclusively(async () => {
        await boss.start()
        await makeQueues(boss, database, jobs)
      })
      for (const { name, work } of jobs) {
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
    },
    close: async () => {
      if (started) await boss.stop({ graceful: true, timeout: STOP_MS, wait: true })
    },
  }
}

/** Queues and schedules as this build plans them; what an earlier build made otherwise is corrected, what it alone had is unscheduled. */
async function makeQueues(boss: PgBoss, { execute }: Database, jobs: Planned[]): Promise<void> {
  const known = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const schedules = new Map((await boss.getSchedules()).map((schedule) => [schedule.name, schedule.cron]))
  for (const { name, cron, limitSeconds } of jobs) {
    const options = { name, policy: POLICY, retryLimit: 2, expireInSeconds: limitSeconds } as const
    const queue = known.get(name)
    if (!queue) await retryForLocks(name, () => boss.createQueue(name, options))
    else if (queue.policy !== POLICY || queue.expireInSeconds !== limitSeconds) {
      await boss.updateQueue(name, options)
      // Runs that pile up under the old options go; the one that is running gets the new limit.
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
 * The library does not wait for the statement that ends a run, so its failure would be a rejection nobody handles. While
 * the database is away that statement is repeated for a minute; after that the run counts as lost and is done again.
 */
function safely(execute: Database['execute'], onError: (error: unknown) => void): Database['execute'] {
  return async (text, values) => {
    if (!/state = 'completed'|deleted_jobs AS/.test(text)) return execute(text, values)
    try {
      return await whileAway(() => execute(text, values), { forMs: AWAY_MS })
    } catch (error) {
      onError(error)
      return { rows: [{ count: 0 }] }
    }
  }
}
