import type { Limits } from '#server/http/limits.ts'
import { type SendLimits, type TranscriptionDeps, usualLimits } from './deps.ts'
import { createTranscriptionQueue, type TranscriptionQueue } from './engine.ts'

/** The transcriptions of this process: what listens, and what it needs to. */
export interface Transcriptions extends Omit<TranscriptionDeps, 'db' | 'publish' | 'log' | 'limits' | 'instance'> {
  transcriptionQueue: TranscriptionQueue
  sendLimits: SendLimits
  close: () => Promise<void>
}

/** The same as a request meets it. */
export interface TranscriptionRouteDeps extends Transcriptions {
  limits: Limits
}

export function openTranscriptions(given: Omit<TranscriptionDeps, 'limits'> & { limits?: SendLimits }): Transcriptions {
  const deps = { ...given, limits: given.limits ?? usualLimits }
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
