import { files } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import type { Storage } from '#server/storage/storage.ts'
import { ownFile } from './rows.ts'

/** What a browser must know of bytes that came from somebody: show pictures, save the rest, run nothing. */
export const contentHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** The bytes of the caller's own file. */
export async function fileContent({ db, user }: Ctx, storage: Storage, id: string): Promise<Response> {
  const { kind, mime, name, storageKey } = files
  const [file] = await db.select({ kind, mime, name, storageKey }).from(files).where(ownFile(user.id, id))
  const kept = file && (await storage.read(file.storageKey))
  if (!kept) throw notFound('Такого файла нет')
  const isImage = file.kind === 'image'
  return new Response(kept.stream as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': isImage ? file.mime : 'application/octet-stream',
      'content-length': String(kept.bytes),
      'content-disposition': `${isImage ? 'inline' : 'attachment'}; filename*=UTF-8''${headerText(file.name)}`,
      'cache-control': 'private, max-age=3600',
    },
  })
}

const headerText = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
