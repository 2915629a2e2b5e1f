import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Area } from '#contract/image-area.ts'
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
import { readWhole, type Storage } from '#server/storage/storage.ts'
import { imageSkillsOf, type ModelRow } from '../models/models.ts'
import { finishChange, prepareChange } from './change-pixels.ts'
import { failImage, finishImage, type ImageError, type ImageModelCost, INTERRUPTED, markRequested } from './finish.ts'
import { partialPublisher } from './partial.ts'
import { publishImage, storeImage } from './rows.ts'

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

/** A change whose images are in the storage. They are read when its turn comes. */
export interface StoredChange {
  imageKey: string
  exampleKeys: string[]
  area: Area | null
  skills: ImageSkills
  /** A photo that no model has drawn. */
  isPhoto: boolean
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
  const { model, change } = drawing
  try {
    signal.throwIfAborted()
    const prepared = change && (await readyChange(deps.storage, change, drawing.request))
    if (!(await markRequested(deps.db, drawing.id))) return
    publishImage(deps.publish, drawing.userId, drawing.id)
    const request = {
      ...drawing.request,
      ...(prepared ? { size: prepared.size, change: prepared.sent } : {}),
      ...(drawing.showsPartial ? { onPartial: partialPublisher(deps, drawing) } : {}),
    }
    const { bytes } = await deps.providers.draw(model.provider)(request, signal)
    const finished = prepared ? await finishChange(prepared, bytes) : { bytes }
    const source = change?.isPhoto ? 'changed-photo' : 'drawn'
    const stored = await storeImage(deps.storage, drawing.id, { ...finished, source })
    await finishImage(deps, drawing, stored)
  } catch (error) {
    await failImage(deps, drawing, imageErrorIn(deps, drawing, error, signal))
  }
}

async function readyChange(storage: Storage, change: StoredChange, { size }: Pick<DrawRequest, 'size'>) {
  const { imageKey, exampleKeys, area, skills } = change
  const [original, ...examples] = await Promise.all([imageKey, ...exampleKeys].map((key) => bytesOf(storage, key)))
  if (!original) throw goneError()
  return prepareChange({ original, examples, area, size, sizes: skills.sizes, takesArea: skills.area })
}

async function bytesOf(storage: Storage, key: string): Promise<Uint8Array> {
  const bytes = await readWhole(storage, key)
  if (!bytes) throw goneError()
  return bytes
}

const goneError = () => new AppError('not_found', 'Картинку, которую нужно изменить, уже удалили.')

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
