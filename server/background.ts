import type { Database } from './db/client.ts'
import { isClockOff } from './db/clock.ts'
import type { Mail } from './email/mail.ts'
import { emailJobs, emailSweep } from './email/outbox.ts'
import { createAnswerRecovery } from './features/answers/recover.ts'
import { billingJobs, grantSweep, sweepHolds } from './features/billing/sweeper.ts'
import type { FileDeps } from './features/files/deps.ts'
import { fileJobs } from './features/files/files.ts'
import { fileSweep } from './features/files/reading.ts'
import type { Health } from './features/health/health.ts'
import { recoverImages } from './features/images/finish.ts'
import type { KnowledgeDeps } from './features/knowledge/deps.ts'
import { knowledgeJobs } from './features/knowledge/embedding.ts'
import { retirementJobs } from './features/models/retirement.ts'
import type { PaymentDeps } from './features/payments/deps.ts'
import { paymentJobs } from './features/payments/poll-gateway.ts'
import { promptJobs } from './features/prompts/prompts.ts'
import { statisticsJobs } from './features/statistics/sums.ts'
import { storageJobs, storageSweep } from './features/storage/cleaning.ts'
import type { OwnedStorage } from './features/storage/owner.ts'
import { threadJobs } from './features/threads/threads.ts'
import { type Transcriptions, transcriptionSweep } from './features/transcriptions/queue.ts'
import { transcriptionJobs } from './features/transcriptions/transcriptions.ts'
import { sweepIncoming } from './files/receive.ts'
import type { Publish } from './http/context.ts'
import { countRecovered } from './http/metrics.ts'
import { type Instance, someInstanceEnded } from './instances/instance.ts'
import { createRecovery } from './instances/recovery.ts'
import { type Job, openJobs } from './jobs/jobs.ts'
import { type RunningSweep, type Sweep, startSweep } from './jobs/sweeps.ts'
import type { Log } from './lib/log.ts'
import type { Providers } from './llm/providers.ts'

export interface BackgroundDeps {
  database: Database
  instance: Instance
  log: Log
  publish: Publish
  health: Health
  mail: Mail
  payments: PaymentDeps
  providers: Providers
  files: FileDeps
  knowledge: KnowledgeDeps
  owned: OwnedStorage
  transcriptions: Transcriptions
  onError: (error: unknown) => void
}

/** Orphaned work is searched for without a dead instance too. */
const RECOVER_ORPHANS_MS = 45_000
const COMPARE_CLOCKS_MS = 60_000
const CHECK_STORAGE_MS = 30_000

export interface Background {
  /** Begins to work. Its errors cannot stop the server. */
  start: () => void
  close: () => Promise<void>
}

/** Prepares all recurring work: jobs (by the clock, on one instance) and sweeps (within seconds, on each). */
export async function openBackground(deps: BackgroundDeps): Promise<Background> {
  const { database, instance, log } = deps
  const { db } = database
  await sweepIncoming(deps.files.incoming)
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

function jobsOf(deps: BackgroundDeps): Job[] {
  const { files, payments, owned, log, providers } = deps
  const { db } = deps.database
  const { appName, appUrl } = payments
  return [
    ...billingJobs(db),
    ...threadJobs(db),
    ...paymentJobs(payments),
    ...promptJobs(db),
    ...statisticsJobs(db),
    ...fileJobs({ ...files, db }),
    ...knowledgeJobs(db, deps.knowledge),
    ...transcriptionJobs({ ...deps.transcriptions, db }),
    ...storageJobs({ db, owned, log }),
    ...retirementJobs({ db, log, providers, appName, appUrl }),
    ...emailJobs(db),
  ]
}

function sweepsOf(deps: BackgroundDeps): Sweep[] {
  const { database, instance, publish, log } = deps
  const { db } = database
  const billing = {
    db,
    onChanged: (userId: string) => publish(userId, { topic: 'profile', type: 'balance', data: null }),
    onError: (error: unknown, context: object) =>
      log.error({ err: error, ...context }, 'billing: a balance was not swept'),
  }
  const recover = recovery(deps, billing)
  return [
    { name: 'recover', everyMs: 0, waits: someInstanceEnded, run: recover },
    { name: 'recover-orphans', everyMs: RECOVER_ORPHANS_MS, run: recover },
    grantSweep(billing),
    fileSweep({ ...deps.files, db, publish, log, knowledge: deps.knowledge, instance }),
    transcriptionSweep(deps.transcriptions),
    storageSweep({ db, owned: deps.owned, log }),
    emailSweep({ db, mail: deps.mail, log }),
    { name: 'check-storage', everyMs: CHECK_STORAGE_MS, run: () => checkStorage(deps.files) },
    { name: 'compare-clocks', everyMs: COMPARE_CLOCKS_MS, run: comparison(deps) },
  ]
}

/** Answers and images first: they settle their own holds with what was stored. */
function recovery({ database, log, publish }: BackgroundDeps, billing: Parameters<typeof sweepHolds>[0]) {
  const { db } = database
  const deps = { db, publish, log }
  return createRecovery({
    ...{ db, log },
    onRecovered: countRecovered,
    kinds: [
      { kind: 'answer', recover: createAnswerRecovery(deps) },
      { kind: 'image', recover: () => recoverImages(deps) },
      { kind: 'hold', recover: () => sweepHolds(billing) },
    ],
  })
}

/** Compares the clocks regularly; readiness and the log report a difference. */
function comparison({ database, health, log }: BackgroundDeps) {
  let isOff = false
  health.degradedWhile('clock', () => isOff)
  return async () => {
    if (database.pool) isOff = await isClockOff(database.execute, log)
    return 0
  }
}

/** Finds an unavailable storage before anyone uploads; the watched storage notes and logs the result. */
async function checkStorage({ storage }: FileDeps): Promise<number> {
  await storage.readOwner().catch(() => {})
  return 0
}
