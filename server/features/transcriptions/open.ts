import type { Limits } from '#server/http/limits.ts'
import { defaultSendLimits, type SendLimits, type TranscriptionDeps } from './deps.ts'
import { createTranscriptionQueue, type TranscriptionQueue } from './queue.ts'

/** The opened feature: its queue and the deps that its routes need. */
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
