import { and, eq } from 'drizzle-orm'
import { imageFileName } from '#contract/image-address.ts'
import { images } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Storage } from '#server/storage/storage.ts'
import { noImage, ownImage } from './rows.ts'

const extensions: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }
/** A picture never changes under its id. */
const FOREVER = 'private, max-age=31536000, immutable'

/** The bytes of the caller's own picture as they were drawn, or small. */
export async function imageContent({ db, user }: Ctx, storage: Storage, id: string, part: 'file' | 'thumbnail') {
  const { mime, prompt, storageKey, thumbKey } = images
  const [row] = await db
    .select({ mime, prompt, storageKey, thumbKey })
    .from(images)
    .where(and(ownImage(user.id, id), eq(images.state, 'ready')))
  const type = part === 'file' ? row?.mime : 'image/webp'
  const key = part === 'file' ? row?.storageKey : row?.thumbKey
  const kept = key && type && type in extensions ? await storage.read(key) : null
  if (!row || !kept || !type) throw noImage()
  const name = encodeURIComponent(`${imageFileName({ ...row, id })}.${extensions[type]}`)
  return new Response(kept.stream as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': type,
      'content-length': String(kept.bytes),
      'content-disposition': `inline; filename*=UTF-8''${name}`,
      'cache-control': FOREVER,
    },
  })
}
