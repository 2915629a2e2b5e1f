import { and, eq, inArray, notInArray, or, sql } from 'drizzle-orm'
import { transcriptions } from '#server/db/schema.ts'
import type { Limits } from '#server/http/limits.ts'
import { isOwnerStale } from '#server/instances/instance.ts'
import { createRunner } from '#server/instances/runner.ts'
import type { Sweep } from '#server/jobs/sweeps.ts'
import { defaultSendLimits, type SendLimits, type TranscriptionDeps } from './deps.ts'
import { OwnershipLost } from './owned-row.ts'
import { allColumns, type Row } from './rows.ts'
import { SERVER_STOPS, transcribeRecording } from './work.ts'

/** Several instances share one queue in the database. */
interface TranscriptionQueue {
  /** Claims queued recordings while there is capacity. */
  wake: () => void
  /** Aborts the work on a recording that was stopped or deleted. */
  cancel: (id: string) => void
  idle: () => Promise<void>
  close: () => Promise<void>
}

const MAX_CONCURRENT = 2

export function createTranscriptionQueue(deps: TranscriptionDeps): TranscriptionQueue {
  const { db, log, instance } = deps
  const runner = createRunner({
    limit: MAX_CONCURRENT,
    onError: (error, id) => log.error({ err: error, transcriptionId: id }, 'transcription queue: job failed'),
    stillOwned: async (ids) => {
      const rows = await db
        .select({ id: transcriptions.id })
        .from(transcriptions)
        .where(and(inArray(transcriptions.id, ids), eq(transcriptions.instance, instance.id), isWorking))
      return rows.map(({ id }) => id)
    },
    lost: new OwnershipLost(),
  })
  let isClosed = false
  let claiming = Promise.resolve()

  async function claimWaiting(): Promise<void> {
    while (!isClosed && runner.hasCapacity()) {
      const row = await claim(deps, runner.ids())
      if (!row) return
      void runner.run(row.id, (signal) => transcribeRecording(deps, row, signal)).then(wake)
    }
  }

  function wake(): void {
    claiming = claiming
      .then(claimWaiting)
      .catch((error: unknown) => log.error({ err: error }, 'transcription queue: claim failed'))
  }

  return {
    wake,
    cancel: (id) => runner.abort(id, new Error('cancelled')),
    idle: async () => {
      await claiming
      while (runner.size() > 0) {
        await runner.idle()
        await claiming
      }
    },
    close: async () => {
      isClosed = true
      await claiming
      await runner.close(0, SERVER_STOPS)
    },
  }
}

const isWorking = eq(transcriptions.state, 'working')

const isStale = and(isWorking, isOwnerStale(transcriptions.instance))

export const transcriptionSweep = ({ transcriptionQueue }: Transcriptions): Sweep => ({
  name: 'look-for-recordings',
  everyMs: 5000,
  waits: sql`exists (select from ${transcriptions} where ${transcriptions.state} in ('queued', 'working'))`,
  run: async () => {
    transcriptionQueue.wake()
    return 0
  },
})

/**
 * Claims the recording that has waited longest: a queued one, a stale one, or one that this instance claimed before
 * without knowing it, because the connection broke between the update and its result.
 */
async function claim({ db, instance }: TranscriptionDeps, running: string[]): Promise<Row | null> {
  const isUnacknowledged = and(
    isWorking,
    eq(transcriptions.instance, instance.id),
    running.length > 0 ? notInArray(transcriptions.id, running) : undefined,
  )
  const next = db
    .select({ id: transcriptions.id })
    .from(transcriptions)
    .where(or(eq(transcriptions.state, 'queued'), isStale, isUnacknowledged))
    .orderBy(transcriptions.updatedAt)
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await db
    .update(transcriptions)
    .set({
      state: 'working',
      tries: sql`${transcriptions.tries} + 1`,
      crashes: sql`${transcriptions.crashes} + case ${transcriptions.state} when 'working' then 1 else 0 end`,
      instance: instance.id,
    })
    .where(eq(transcriptions.id, sql`(${next})`))
    .returning(allColumns)
  return row ?? null
}

export interface Transcriptions extends Omit<TranscriptionDeps, 'db' | 'publish' | 'log' | 'limits' | 'instance'> {
  transcriptionQueue: TranscriptionQueue
  sendLimits: SendLimits
  close: () => Promise<void>
}

export interface TranscriptionRouteDeps extends Transcriptions {
  limits: Limits
}

export function openTranscriptions(
  options: Omit<TranscriptionDeps, 'limits'> & { limits?: SendLimits },
): Transcriptions {
  const deps = { ...options, limits: options.limits ?? defaultSendLimits }
  const transcriptionQueue = createTranscriptionQueue(deps)
  const { storage, incoming, providers, ffmpeg } = deps
  return {
    storage,
    incoming,
    providers,
    ffmpeg,
    transcriptionQueue,
    sendLimits: deps.limits,
    close: transcriptionQueue.close,
  }
}
