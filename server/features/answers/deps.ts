import type { Db } from '#server/db/client.ts'
import type { Publish } from '#server/http/context.ts'
import type { Log } from '#server/lib/log.ts'
import type { EndReason, LlmUsage } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { Instance } from '#server/work/instance.ts'

export interface EngineDeps {
  db: Db
  log: Log
  publish: Publish
  providers: Providers
  /** The process that owns what is written here. */
  instance: Pick<Instance, 'id'>
  /** How many answers may be written here at once. */
  maxRunning?: number
  /** Runs when an answer has been kept, for what follows from it. */
  afterAnswer: (answer: { userId: string; threadId: string }) => Promise<void>
}

/** What came of listening to a model. */
export interface StreamResult {
  reason: EndReason | null
  usage: LlmUsage | null
  failure: { error: unknown } | null
}
