import type { Ffmpeg } from '#server/audio/ffmpeg.ts'
import type { Db } from '#server/db/client.ts'
import type { Publish } from '#server/http/context.ts'
import type { Instance } from '#server/instances/instance.ts'
import type { Log } from '#server/lib/log.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { Storage } from '#server/storage/storage.ts'

/** The largest audio that one request to a provider may contain. */
export interface SendLimits {
  /** A file up to this size is sent as it is. */
  wholeBytes: number
  partBytes: number
  partSeconds: number
}

export const defaultSendLimits: SendLimits = {
  wholeBytes: 25 * 1024 * 1024,
  partBytes: 24 * 1024 * 1024,
  partSeconds: 20 * 60,
}

export interface TranscriptionDeps {
  db: Db
  publish: Publish
  log: Log
  storage: Storage
  /** A folder for temporary files. */
  incoming: string
  providers: Providers
  /** Null when ffmpeg is not installed: then only WAV can be cut. */
  ffmpeg: Ffmpeg | null
  limits: SendLimits
  instance: Pick<Instance, 'id'>
}
