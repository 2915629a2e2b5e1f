import { and, eq } from 'drizzle-orm'
import { images } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Storage } from '#server/storage/storage.ts'
import { noImage, ownImage } from './rows.ts'

const extensions: Record<string, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }
/** A picture never changes under its id. */
const FOREVER = 'private, max-age=31536000, immutable'

/** The bytes of the caller's own picture as they were drawn, or small. */
export async function imageContent({ db, user }: Ctx, storage: Storage, id: string, part: 'file' | 'thumbnail') {
  const { mime, storageKey, thumbKey } = images
  const [row] = await db
    .select({ mime, storageKey, thumbKey })
    .from(images)
    .where(and(ownImage(user.id, id), eq(images.state, 'ready')))
  const type = part === 'file' ? row?.mime : 'image/webp'
  const key = part === 'file' ? row?.storageKey : row?.thumbKey
  const kept = key && type && type in extensions ? await storage.read(key) : null
  if (!kept || !type) throw noImage()
  return new Response(kept.stream as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': type,
      'content-length': String(kept.bytes),
      'content-disposition': `inline; filename="image-${id}.${extensions[type]}"`,
      'cache-control': FOREVER,
    },
  })
}
