import { rm } from 'node:fs/promises'
import { MAX_FILE_BYTES } from '#contract/files.ts'
import type { Image } from '#contract/images.ts'
import { images } from '#server/db/schema.ts'
import { safeFileName } from '#server/files/file-name.ts'
import { shrinkImage } from '#server/files/image.ts'
import { receiveUpload } from '#server/files/receive.ts'
import { documents } from '#server/files/types.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { Storage } from '#server/storage/storage.ts'
import { checkStorageLimit } from './create.ts'
import { getImage } from './images.ts'
import { deleteStoredImage, publishImage, storeImage } from './rows.ts'

interface UploadDeps {
  storage: Storage
  /** The folder of files that are being received. */
  incoming: string
}

/** Takes a photo into the gallery: upright, without metadata such as the place, no larger than models use. Free. */
export async function uploadImage(ctx: Ctx, deps: UploadDeps, request: Request): Promise<Image> {
  await checkStorageLimit(ctx)
  const { name, local } = await receiveUpload(request, deps.incoming, MAX_FILE_BYTES)
  try {
    const fileName = safeFileName(name)
    // Loaded with the first file.
    const { recogniseFile } = await import('#server/files/recognise.ts')
    const type = await recogniseFile(local, fileName)
    // A TIFF of several pages is a document elsewhere; here its first page is the picture.
    if (type.kind !== 'image' && type.mime !== documents.tiff.mime)
      throw new AppError(
        'unsupported_media_type',
        'Это не картинка. Подойдут PNG, JPEG, WebP, GIF, HEIC, AVIF, TIFF и BMP.',
        { field: 'file' },
      )
    const { content } = await shrinkImage(local, type.mime, request.signal)
    return await storeUpload(ctx, deps.storage, content, fileName.replace(/\.[^.]+$/, ''))
  } finally {
    await rm(local.path, { force: true })
  }
}

async function storeUpload(ctx: Ctx, storage: Storage, bytes: Uint8Array, prompt: string): Promise<Image> {
  const { db, user, publish } = ctx
  const id = newId()
  const stored = await storeImage(storage, id, { bytes, source: null })
  try {
    const row = { id, userId: user.id, batchId: id, position: 0, prompt, modelId: '', size: 'auto' } as const
    await db.insert(images).values({ ...row, ...stored, origin: 'uploaded', state: 'ready', price: 0 })
  } catch (error) {
    await deleteStoredImage(storage, stored)
    throw error
  }
  publishImage(publish, user.id, id)
  return getImage(ctx, id)
}
