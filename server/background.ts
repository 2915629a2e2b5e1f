import type { Database } from './db/client.ts'
import { isClockOff } from './db/clock.ts'
import type { Mail } from './email/mail.ts'
import { startOutbox } from './email/outbox.ts'
import { createAnswerRecovery } from './features/answers/recover.ts'
import { scheduleBilling, sweepHolds } from './features/billing/sweeper.ts'
import type { FileDeps } from './features/files/deps.ts'
import { scheduleFiles } from './features/files/files.ts'
import { readStale } from './features/files/reading.ts'
import type { Health } from './features/health/health.ts'
import { recoverImages } from './features/images/finish.ts'
import type { KnowledgeDeps } from './features/knowledge/deps.ts'
import { scheduleKnowledge } from './features/knowledge/embedding.ts'
import { scheduleRetirement } from './features/models/retirement.ts'
import type { PaymentDeps } from './features/payments/deps.ts'
import { schedulePayments } from './features/payments/poll-gateway.ts'
import { schedulePrompts } from './features/prompts/prompts.ts'
import { scheduleStatistics } from './features/statistics/sums.ts'
import { deleteMarkedFiles, scheduleStorage } from './features/storage/cleaning.ts'
import type { OwnedStorage } from './features/storage/owner.ts'
import { scheduleThreads } from './features/threads/threads.ts'
import type { Transcriptions } from './features/transcriptions/queue.ts'
import { scheduleTranscriptions } from './features/transcriptions/transcriptions.ts'
import type { Publish } from './http/context.ts'
import { countRecovered } from './http/metrics.ts'
import { openJobs } from './jobs/jobs.ts'
import { startSweep } from './jobs/sweeps.ts'
import type { Log } from './lib/log.ts'
import type { Providers } from './llm/providers.ts'
import type { Instance } from './work/instance.ts'
import { createRecovery } from './work/recovery.ts'

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

/** How often each instance looks for the work of dead ones. */
const RECOVER_MS = 1500
const READ_FILES_MS = 10_000
const CLAIM_RECORDINGS_MS = 5000
const DELETE_FILES_MS = 5000
const COMPARE_CLOCKS_MS = 60_000
const CHECK_STORAGE_MS = 30_000

export interface Background {
  /** Begins to work. Its errors cannot stop the server. */
  start: () => void
  close: () => Promise<void>
}

/** Prepares all recurring work: jobs (by the clock, on one instance) and sweeps (every few seconds, on each). */
export async function openBackground(deps: BackgroundDeps): Promise<Background> {
  const { database, transcriptions, log, publish, mail } = deps
  const { db } = database
  const reading = { ...deps.files, db, publish, log, knowledge: deps.knowledge, instance: deps.instance }
  const billing = {
    db,
    onChanged: (userId: string) => publish(userId, { topic: 'profile', type: 'balance', data: null }),
    onError: (error: unknown, context: object) =>
      log.error({ err: error, ...context }, 'billing: a balance was not swept'),
  }
  const jobs = openJobs(database, deps.onError)
  const every = (name: string, everyMs: number, sweep: () => Promise<number>) =>
    startSweep({
      name,
      everyMs,
      sweep,
      onError: (error) => log.error({ err: error, sweep: name }, 'sweeps: a run failed'),
    })
  const sweeps = [
    await scheduleBilling(jobs, billing),
    every('recover', RECOVER_MS, recovery(deps, billing)),
    every('read-files', READ_FILES_MS, () => readStale(reading)),
    every('look-for-recordings', CLAIM_RECORDINGS_MS, async () => {
      transcriptions.transcriptionQueue.wake()
      return 0
    }),
    every('delete-files', DELETE_FILES_MS, () => deleteMarkedFiles({ db, owned: deps.owned, log })),
    every('check-storage', CHECK_STORAGE_MS, () => checkStorage(deps.files)),
    every('compare-clocks', COMPARE_CLOCKS_MS, comparison(deps)),
  ]
  await scheduleThreads(jobs, db)
  await schedulePayments(jobs, deps.payments)
  await schedulePrompts(jobs, db)
  await scheduleStatistics(jobs, db)
  await scheduleFiles(jobs, reading)
  await scheduleKnowledge(jobs, db, deps.knowledge)
  await scheduleTranscriptions(jobs, { ...transcriptions, db })
  await scheduleStorage(jobs, { db, owned: deps.owned, log })
  const { appName, appUrl } = deps.payments
  await scheduleRetirement(jobs, { db, log, providers: deps.providers, appName, appUrl })
  await jobs.prepare()
  let outbox: ReturnType<typeof startOutbox> | undefined
  return {
    start: () => {
      // The start may follow a crash, so every sweep runs now.
      for (const sweep of sweeps) void sweep.runNow()
      jobs.start().then(() => log.info('jobs: started'), deps.onError)
      outbox = startOutbox({ db, mail, log })
    },
    close: async () => {
      await Promise.all([...sweeps.map((sweep) => sweep.close()), outbox?.close(), jobs.close()])
    },
  }
}

/** Answers and images first: they settle their own holds with what was stored. */
function recovery({ database, instance, log, publish }: BackgroundDeps, billing: Parameters<typeof sweepHolds>[0]) {
  const { db } = database
  const deps = { db, publish, log }
  return createRecovery({
    ...{ db, instance, log },
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
