import { readPicture } from '#server/files/picture.ts'
import { type Drawn, drawError } from '#server/llm/draw.ts'
import type { Storage } from '#server/storage/storage.ts'
import { ORIGINALS, THUMBNAILS } from './rows.ts'

/** A picture whose bytes are kept; no row names them yet. */
export interface StoredImage {
  width: number
  height: number
  bytes: number
  mime: string
  storageKey: string
  thumbKey: string
}

/** The bytes first: a row never names what is not there. Bytes that no row names are collected. */
export async function keepPicture(storage: Storage, id: string, { bytes }: Drawn): Promise<StoredImage> {
  const picture = await readPicture(bytes)
  if (!picture) throw drawError('down', `not a picture: ${bytes.length} bytes`)
  const { mime, width, height, thumbnail } = picture
  const [storageKey, thumbKey] = [`${ORIGINALS}/${id}`, `${THUMBNAILS}/${id}`]
  await storage.put(thumbKey, thumbnail, 'image/webp')
  await storage.put(storageKey, bytes, mime)
  return { width, height, bytes: bytes.length, mime, storageKey, thumbKey }
}

/** What cannot be deleted now is collected later, when nothing in the database names it. */
export async function forgetPicture(storage: Storage, keys: (string | null)[]): Promise<void> {
  for (const key of keys) if (key) await storage.delete(key).catch(() => undefined)
}
