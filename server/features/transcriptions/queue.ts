import { transcriptions } from '#server/db/schema.ts'
import type { Limits } from '#server/http/limits.ts'
import { crashesOf, createQueue, type Queue } from '#server/instances/queue.ts'
import { defaultSendLimits, type SendLimits, type TranscriptionDeps } from './deps.ts'
import { allColumns } from './rows.ts'
import { transcribeRecording } from './work.ts'

export const createTranscriptionQueue = (deps: TranscriptionDeps): Queue =>
  createQueue(deps, {
    name: 'recordings',
    columns: transcriptions,
    limit: 2,
    claim: (isNext, values) =>
      deps.db
        .update(transcriptions)
        .set({ ...values, crashes: crashesOf(transcriptions) })
        .where(isNext)
        .returning(allColumns),
    idOf: ({ id }) => id,
    work: (row, signal) => transcribeRecording(deps, row, signal),
  })

export interface Transcriptions extends Omit<TranscriptionDeps, 'db' | 'publish' | 'log' | 'limits' | 'instance'> {
  transcriptionQueue: Queue
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
