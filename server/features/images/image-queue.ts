import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { images } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import { type Log, withoutSecrets } from '#server/lib/log.ts'
import type { Drawn, DrawRequest } from '#server/llm/draw.ts'
import { LlmError } from '#server/llm/errors.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { Instance } from '#server/work/instance.ts'
import { createRunner } from '#server/work/runner.ts'
import { failPicture, finishPicture, type ImageError, INTERRUPTED, markAsked, type Priced } from './finish.ts'
import { publishImage } from './rows.ts'
import { keepPicture } from './store-image.ts'

export interface ImageQueueDeps {
  db: Db
  log: Log
  publish: Publish
  providers: Providers
  storage: Storage
  /** The process that owns what is drawn here. */
  instance: Pick<Instance, 'id'>
}

/** A picture that is to be drawn; its row and its hold are there already. */
export interface DrawingOrder {
  id: string
  userId: string
  price: number
  model: Priced & { provider: string }
  request: DrawRequest
}

/** Owns the pictures that are being drawn in this process. Whether anybody watches is not its business. */
export interface ImageQueue {
  begin: (order: DrawingOrder) => void
  /** Stops drawing what nobody wants any more. */
  drop: (id: string) => void
  /** False once it is closing: nothing new may begin. */
  isOpen: () => boolean
  /** The process that pictures belong to which begin now. */
  instance: () => string
  /** Resolves when nothing is being drawn. */
  idle: () => Promise<void>
  /** Lets pictures finish for a while, then ends them: they cost nothing. */
  close: (drainMs?: number) => Promise<void>
}

const AT_ONCE = 4
const DRAIN_MS = 5000

export function createImageQueue(deps: ImageQueueDeps): ImageQueue {
  const { db, log, instance } = deps
  const runner = createRunner({
    limit: AT_ONCE,
    onError: (error, imageId) => log.error({ err: error, imageId }, 'a picture could not be kept'),
    stillOwned: async (ids) => {
      const rows = await db
        .select({ id: images.id })
        .from(images)
        .where(and(inArray(images.id, ids), eq(images.state, 'making'), isNull(images.deletedAt)))
      return rows.map(({ id }) => id)
    },
  })
  let isOpen = true

  return {
    begin: (order) => void runner.run(order.id, (signal) => draw(deps, order, signal)),
    drop: (id) => runner.abort(id, undefined),
    isOpen: () => isOpen,
    instance: () => instance.id,
    idle: runner.idle,
    close: async (drainMs = DRAIN_MS) => {
      isOpen = false
      await runner.close(drainMs, undefined)
    },
  }
}

async function draw(deps: ImageQueueDeps, order: DrawingOrder, signal: AbortSignal): Promise<void> {
  const { model, request } = order
  try {
    signal.throwIfAborted()
    if (!(await markAsked(deps.db, order.id))) return
    publishImage(deps.publish, order.userId, order.id)
    const drawn: Drawn = await deps.providers.draw(model.provider)(request, signal)
    const kept = await keepPicture(deps.storage, order.id, drawn)
    await finishPicture(deps, order, kept)
  } catch (error) {
    await failPicture(deps, order, imageErrorIn(deps, order, error, signal))
  }
}

function imageErrorIn({ log }: ImageQueueDeps, { id }: DrawingOrder, error: unknown, signal: AbortSignal): ImageError {
  if (signal.aborted) return INTERRUPTED
  if (error instanceof LlmError) {
    log.warn({ imageId: id, kind: error.kind, details: withoutSecrets(error.details) }, 'a model did not draw')
    return { code: 'model_failed', message: error.message }
  }
  log.error({ err: error, imageId: id }, 'a picture failed')
  return { code: 'internal', message: `Что-то сломалось на нашей стороне. Номер обращения: ${id}` }
}
