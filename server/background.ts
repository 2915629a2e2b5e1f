import type { Database } from './db/client.ts'
import { isClockOff } from './db/clock.ts'
import type { Mail } from './email/mail.ts'
import { emailJobs, emailSweep } from './email/outbox.ts'
import type { Core } from './features/feature.ts'
import { sweepIncoming } from './files/receive.ts'
import { countRecovered } from './http/metrics.ts'
import { type Instance, someInstanceEnded } from './instances/instance.ts'
import { createRecovery } from './instances/recovery.ts'
import { type Job, openJobs } from './jobs/jobs.ts'
import { type RunningSweep, type Sweep, startSweep } from './jobs/sweeps.ts'
import type { Features } from './open-features.ts'

interface BackgroundDeps extends Pick<Features, 'core' | 'opened'> {
  database: Pick<Database, 'pool' | 'execute'>
  instance: Instance
  mail: Mail
  onError: (error: unknown) => void
}

/** Orphaned work is searched for without a dead instance too. */
const RECOVER_ORPHANS_MS = 45_000
const COMPARE_CLOCKS_MS = 60_000
const CHECK_STORAGE_MS = 30_000

export interface Background {
  /** Its errors cannot stop the server. */
  start: () => void
  close: () => Promise<void>
}

/** Prepares all recurring work: jobs (by the clock, on one instance) and sweeps (within seconds, on each). */
export async function openBackground(deps: BackgroundDeps): Promise<Background> {
  const { instance } = deps
  const { db, log, files } = deps.core
  await sweepIncoming(files.incoming)
  const onError = (error: unknown, job: string) => log.error({ err: error, job }, 'background: failed')
  const jobs = openJobs({ db, instance, onError }, jobsOf(deps))
  await jobs.prepare()
  let running: RunningSweep[] = []
  return {
    start: () => {
      const sweeps = [...sweepsOf(deps), { name: 'jobs', everyMs: 1000, waits: jobs.waits, run: jobs.runDue }]
      const started = new Map(
        sweeps.map((sweep) => [
          sweep.name,
          startSweep(sweep, (error, name) => log.error({ err: error, sweep: name }, 'sweeps: a run failed')),
        ]),
      )
      running = [...started.values()]
      const questions = sweeps.flatMap(({ name, waits }) => (waits ? [[name, waits] as const] : []))
      instance.watch(Object.fromEntries(questions), (names) => {
        for (const name of names) started.get(name)?.wake()
      })
      // The start may follow a crash, so every sweep runs now.
      for (const sweep of running) void sweep.runNow()
      instance.beat().catch(deps.onError)
      log.info('jobs: started')
    },
    close: async () => {
      await Promise.all([...running.map((sweep) => sweep.close()), jobs.close()])
    },
  }
}

export const jobsOf = ({ core, opened }: Pick<Features, 'core' | 'opened'>): Job[] => [
  ...opened.flatMap(({ jobs = [] }) => jobs),
  ...emailJobs(core.db),
]

export function sweepsOf({ core, opened, mail, database }: Omit<BackgroundDeps, 'instance' | 'onError'>): Sweep[] {
  const { db, log } = core
  const kinds = opened.flatMap(({ recover }) => recover ?? [])
  const recover = createRecovery({ db, log, onRecovered: countRecovered, kinds })
  return [
    { name: 'recover', everyMs: 0, waits: someInstanceEnded, run: recover },
    { name: 'recover-orphans', everyMs: RECOVER_ORPHANS_MS, run: recover },
    ...opened.flatMap(({ sweeps = [] }) => sweeps),
    emailSweep({ db, mail, log }),
    { name: 'check-storage', everyMs: CHECK_STORAGE_MS, run: () => checkStorage(core.files) },
    { name: 'compare-clocks', everyMs: COMPARE_CLOCKS_MS, run: comparison(core, database) },
  ]
}

/** Compares the clocks regularly; readiness and the log report a difference. */
function comparison({ health, log }: Core, database: BackgroundDeps['database']) {
  let isOff = false
  health.degradedWhile('clock', () => isOff)
  return async () => {
    if (database.pool) isOff = await isClockOff(database.execute, log)
    return 0
  }
}

/** Finds an unavailable storage before anyone uploads; the watched storage notes and logs the result. */
async function checkStorage({ storage }: Core['files']): Promise<number> {
  await storage.readOwner().catch(() => {})
  return 0
}
