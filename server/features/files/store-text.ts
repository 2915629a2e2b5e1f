import { eq } from 'drizzle-orm'
import { countSymbols } from '#contract/billing.ts'
import type { Attachment } from '#contract/files.ts'
import { files, users } from '#server/db/schema.ts'
import { tidy } from '#server/files/tidy.ts'
import { documents } from '#server/files/types.ts'
import type { Ctx } from '#server/http/context.ts'
import { newId } from '#server/lib/ids.ts'
import type { Storage } from '#server/storage/storage.ts'
import { fileAsText } from './as-text.ts'
import { forgetBytes, getFile } from './files.ts'
import { UPLOADS } from './rows.ts'
import { checkStorageLimit } from './upload.ts'

/** A text of our own making as a document of a chat, as if its owner had brought it and it had been read. */
export async function keepText(
  ctx: Ctx,
  storage: Storage,
  { name, content: given }: { name: string; content: string },
): Promise<Attachment> {
  const id = newId()
  const content = tidy(given)
  const bytes = Buffer.from(content)
  const storageKey = `${UPLOADS}/${id}`
  await storage.put(storageKey, bytes, documents.txt.mime)
  try {
    await ctx.db.transaction(async (tx) => {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, ctx.user.id)).for('no key update')
      await checkStorageLimit(tx, ctx.user.id, bytes.length)
      await tx.insert(files).values({
        id,
        userId: ctx.user.id,
        ...documents.txt,
        name,
        bytes: bytes.length,
        storageKey,
        state: 'ready',
        progress: 100,
        symbols: countSymbols(fileAsText(name, content)),
        content,
      })
    })
  } catch (error) {
    await forgetBytes(storage, storageKey)
    throw error
  }
  return getFile(ctx, id)
}
