import { and, eq } from 'drizzle-orm'
import { imageFileName } from '#contract/image-address.ts'
import type { ImageDownload } from '#contract/images.ts'
import { images } from '#server/db/schema.ts'
import { decodeLimits, inTurn, loadSharp } from '#server/files/image.ts'
import { markSource, sourceIn } from '#server/files/image-mark.ts'
import type { Ctx } from '#server/http/context.ts'
import { readWhole, type Storage } from '#server/storage/storage.ts'
import { imageNotFound, ownImage } from './rows.ts'

const types = {
  png: { mime: 'image/png', extension: 'png' },
  jpeg: { mime: 'image/jpeg', extension: 'jpg' },
  webp: { mime: 'image/webp', extension: 'webp' },
} as const

/** The image in another format and size, with the mark of its source. It is never enlarged. */
export async function downloadImage(
  { db, user }: Ctx,
  storage: Storage,
  id: string,
  { format, side }: ImageDownload,
): Promise<Response> {
  const { prompt, storageKey } = images
  const [row] = await db
    .select({ prompt, storageKey })
    .from(images)
    .where(and(ownImage(user.id, id), eq(images.state, 'ready')))
  const bytes = row?.storageKey ? await readWhole(storage, row.storageKey) : null
  if (!row || !bytes) throw imageNotFound()
  const { mime, extension } = types[format]
  const name = encodeURIComponent(`${imageFileName({ ...row, id })}.${extension}`)
  return new Response(new Uint8Array(await convert(bytes, format, side === undefined ? null : Number(side))), {
    headers: { 'content-type': mime, 'content-disposition': `attachment; filename*=UTF-8''${name}` },
  })
}

function convert(bytes: Uint8Array, format: keyof typeof types, side: number | null): Promise<Buffer> {
  return inTurn(async () => {
    const sharp = await loadSharp()
    const image = sharp(bytes, decodeLimits).autoOrient()
    const { xmp } = await image.metadata()
    const sized = side ? image.resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) : image
    const encoded = {
      png: () => sized.png(),
      jpeg: () => sized.flatten({ background: '#fff' }).jpeg({ quality: 92 }),
      webp: () => sized.webp({ quality: 92 }),
    }[format]()
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
    const source = sourceIn(xmp)
    return source ? markSource(data, types[format].mime, { ...info, source }) : data
  })
}
