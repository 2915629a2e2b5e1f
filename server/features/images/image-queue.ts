import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { ImageSkills } from '#contract/image-skills.ts'
import type { Db } from '#server/db/client.ts'
import { images } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import type { Instance } from '#server/instances/instance.ts'
import { createRunner } from '#server/instances/runner.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'
import { LlmError } from '#server/llm/errors.ts'
import type { DrawRequest } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { Storage } from '#server/storage/storage.ts'
import { imageSkillsOf, type ModelRow } from '../models/models.ts'
import { partialPublisher, prepareDrawing, type StoredChange } from './draw.ts'
import { failImage, finishImage, type ImageError, type ImageModelCost, INTERRUPTED, markRequested } from './finish.ts'
import { publishImage } from './rows.ts'

export interface ImageQueueDeps {
  db: Db
  log: Log
  publish: Publish
  providers: Providers
  storage: Storage
  instance: Pick<Instance, 'id'>
}

/** Its row and hold are already stored. */
export interface DrawingRequest {
  id: string
  userId: string
  price: number
  model: ImageModelCost & { provider: string }
  request: DrawRequest
  change?: StoredChange
  /** The model sends unfinished images. */
  showsPartial?: boolean
}

/** Draws images in the background of this process. */
export interface ImageQueue {
  begin: (request: DrawingRequest) => void
  /** Stops drawing a deleted image. */
  cancel: (id: string) => void
  /** False once the queue is closing. */
  isOpen: () => boolean
  /** The process that owns new images. */
  instance: () => string
  skillsOf: (model: ModelRow) => ImageSkills
  idle: () => Promise<void>
  /** Waits for running images up to the limit, then fails them free of charge. */
  close: (drainMs?: number) => Promise<void>
}

const AT_ONCE = 4
const DRAIN_MS = 5000

export function createImageQueue(deps: ImageQueueDeps): ImageQueue {
  const { db, log, instance } = deps
  const runner = createRunner({
    limit: AT_ONCE,
    onError: (error, imageId) => log.error({ err: error, imageId }, 'images: storing an image failed'),
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
    begin: (request) => void runner.run(request.id, (signal) => draw(deps, request, signal)),
    cancel: (id) => runner.abort(id, undefined),
    isOpen: () => isOpen,
    instance: () => instance.id,
    skillsOf: (model) => imageSkillsOf(deps.providers, model),
    idle: runner.idle,
    close: async (drainMs = DRAIN_MS) => {
      isOpen = false
      await runner.close(drainMs, undefined)
    },
  }
}

async function draw(deps: ImageQueueDeps, drawing: DrawingRequest, signal: AbortSignal): Promise<void> {
  const { id, model, change, showsPartial } = drawing
  try {
    signal.throwIfAborted()
    const request = {
      ...drawing.request,
      ...(showsPartial ? { onPartial: partialPublisher(deps, drawing) } : {}),
    }
    const askModel = await prepareDrawing(deps, { id, provider: model.provider, request, change })
    if (!(await markRequested(deps.db, id))) return
    publishImage(deps.publish, drawing.userId, id)
    await finishImage(deps, drawing, await askModel(signal))
  } catch (error) {
    await failImage(deps, drawing, imageErrorIn(deps, drawing, error, signal))
  }
}

function imageErrorIn(
  { log }: ImageQueueDeps,
  { id }: DrawingRequest,
  error: unknown,
  signal: AbortSignal,
): ImageError {
  if (signal.aborted) return INTERRUPTED
  if (error instanceof AppError) return { code: error.code, message: error.message }
  if (error instanceof LlmError) {
    log.warn({ err: error, imageId: id }, 'images: the model failed')
    return { code: 'model_failed', message: error.message }
  }
  log.error({ err: error, imageId: id }, 'images: drawing failed')
  return { code: 'internal', message: `Что-то сломалось на нашей стороне. Номер обращения: ${id}` }
}
