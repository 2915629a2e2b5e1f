import type { Limits } from '#server/http/limits.ts'
import { createHearing, type Hearing } from './engine.ts'
import { type HearingWorld, type SendLimits, usualLimits } from './world.ts'

/** The transcriptions of this process: what listens, and what it needs to. */
export interface Transcriptions extends Omit<HearingWorld, 'db' | 'publish' | 'log' | 'limits' | 'instance'> {
  hearing: Hearing
  sendLimits: SendLimits
  close: () => Promise<void>
}

/** The same as a request meets it. */
export interface TranscriptionsWorld extends Transcriptions {
  limits: Limits
}

export function openTranscriptions(given: Omit<HearingWorld, 'limits'> & { limits?: SendLimits }): Transcriptions {
  const world = { ...given, limits: given.limits ?? usualLimits }
  const hearing = createHearing(world)
  const { storage, incoming, providers, ffmpeg } = world
  return { storage, incoming, providers, ffmpeg, hearing, sendLimits: world.limits, close: hearing.close }
}
