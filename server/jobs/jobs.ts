import PgBoss from 'pg-boss'
import type { Database } from '#server/db/client.ts'

/** Work that comes back by itself, kept in the database: it survives restarts, and of several instances one does it. */
export interface Jobs {
  /** Runs `work` by a cron line (minutes are the finest); a run that is still going is not joined by another. */
  every: (name: string, cron: string, work: () => Promise<void>) => Promise<void>
  /** Runs it soon, whatever the cron line says. */
  soon: (name: string) => Promise<void>
  close: () => Promise<void>
}

const POLL_SECONDS = 5
const STOP_MS = 5000

export async function openJobs(
  database: Database,
  onError: (error: unknown) => void,
  pollSeconds = POLL_SECONDS,
): Promise<Jobs> {
  const boss = new PgBoss({ db: { executeSql: database.execute }, schema: 'jobs' })
  boss.on('error', onError)
  await boss.start()

  return {
    every: async (name, cron, work) => {
      await boss.createQueue(name, { name, policy: 'singleton', retryLimit: 2, expireInMinutes: 10 })
      await boss.work(name, { pollingIntervalSeconds: pollSeconds }, async () => {
        try {
          await work()
        } catch (error) {
          onError(error)
          throw error
        }
      })
      await boss.schedule(name, cron)
    },
    soon: async (name) => {
      await boss.send(name, {})
    },
    close: () => boss.stop({ graceful: true, timeout: STOP_MS, wait: true }),
  }
}
