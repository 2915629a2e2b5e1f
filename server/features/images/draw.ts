import type { Area } from '#contract/image-area.ts'
import type { ImageSkills } from '#contract/image-skills.ts'
import { decodeLimits, inTurn, loadSharp } from '#server/files/image.ts'
import type { Publish } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { DrawRequest } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import { readWhole, type Storage } from '#server/storage/storage.ts'
import { finishChange, prepareChange } from './change-pixels.ts'
import { type StoredImage, storeImage } from './rows.ts'

/** A change whose images are in the storage. They are read when its turn comes. */
export interface StoredChange {
  imageKey: string
  exampleKeys: string[]
  area: Area | null
  skills: ImageSkills
  /** A photo that no model has drawn. */
  isPhoto: boolean
}

export interface DrawTask {
  /** Of the new image. */
  id: string
  provider: string
  request: DrawRequest
  change?: StoredChange | undefined
}

type AskModel = (signal: AbortSignal) => Promise<StoredImage>

/** Reads what is to be changed. The returned function asks the model and stores the image; no row refers to it yet. */
export async function prepareDrawing(
  { providers, storage }: { providers: Providers; storage: Storage },
  { id, provider, request, change }: DrawTask,
): Promise<AskModel> {
  const prepared = change && (await readChange(storage, change, request))
  return async (signal) => {
    const sent = prepared ? { ...request, size: prepared.size, change: prepared.sent } : request
    const { bytes } = await providers.draw(provider)(sent, signal)
    const finished = prepared ? await finishChange(prepared, bytes) : { bytes }
    return storeImage(storage, id, { ...finished, source: change?.isPhoto ? 'changed-photo' : 'drawn' })
  }
}

async function readChange(storage: Storage, change: StoredChange, { size }: Pick<DrawRequest, 'size'>) {
  const { imageKey, exampleKeys, area, skills } = change
  const [original, ...examples] = await Promise.all([imageKey, ...exampleKeys].map((key) => bytesOf(storage, key)))
  if (!original) throw imageGone()
  return prepareChange({ original, examples, area, size, sizes: skills.sizes, takesArea: skills.area })
}

async function bytesOf(storage: Storage, key: string): Promise<Uint8Array> {
  const bytes = await readWhole(storage, key)
  if (!bytes) throw imageGone()
  return bytes
}

export const imageGone = () => new AppError('not_found', 'Картинку, которую нужно изменить, уже удалили.')

const PARTIAL_SIDE = 384

/**
 * Sends unfinished images to the pages of their owner, small enough for an event. They are never stored. The id is
 * that of the image, or of the answer in a chat.
 */
export function partialPublisher({ publish }: { publish: Publish }, { id, userId }: { id: string; userId: string }) {
  return (bytes: Uint8Array): void => {
    const show = async () => {
      const sharp = await loadSharp()
      const small = await sharp(bytes, decodeLimits)
        .resize({ width: PARTIAL_SIDE, height: PARTIAL_SIDE, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 60 })
        .toBuffer()
      const url = `data:image/webp;base64,${small.toString('base64')}`
      publish(userId, { topic: 'images', type: 'partial', data: { id, url } })
    }
    // An unfinished image that cannot be read is not worth an error: the finished one follows.
    inTurn(show).catch(() => undefined)
  }
}
