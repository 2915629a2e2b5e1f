import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Attachment } from '#contract/files.ts'
import type { Db } from '#server/db/client.ts'
import { files, messageFiles } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { LlmPicture } from '#server/llm/llm.ts'
import type { Storage } from '#server/storage/storage.ts'
import { fileAsText } from './as-text.ts'
import { attachmentColumns, ownFile, toAttachment } from './rows.ts'

const noFile = () => notFound('Такого файла нет')

export async function getFile({ db, user }: Ctx, id: string): Promise<Attachment> {
  const [row] = await db.select(attachmentColumns).from(files).where(ownFile(user.id, id))
  if (!row) throw noFile()
  return toAttachment(row)
}

/** Takes back a file that was not sent yet. The row is locked first: a message that takes it at this moment wins or loses whole. */
export async function deleteFile({ db, user }: Ctx, storage: Storage, id: string): Promise<{ id: string }> {
  const key = await db.transaction(async (tx) => {
    const [row] = await tx
      .select({ assistantId: files.assistantId, key: files.storageKey })
      .from(files)
      .where(ownFile(user.id, id))
      .for('update')
    if (!row) throw noFile()
    const [sent] = await tx
      .select({ id: messageFiles.fileId })
      .from(messageFiles)
      .where(eq(messageFiles.fileId, id))
      .limit(1)
    if (sent) throw new AppError('conflict', 'Файл уже отправлен в сообщении. Его можно удалить вместе с сообщением.')
    if (row.assistantId) throw new AppError('conflict', 'Это файл ассистента. Удалите его на странице ассистента.')
    await tx.delete(files).where(eq(files.id, id))
    return row.key
  })
  await forgetBytes(storage, key)
  return { id }
}

/** What cannot be deleted now is collected later, when nothing in the database names it. */
export async function forgetBytes(storage: Storage, key: string): Promise<void> {
  await storage.delete(key).catch(() => undefined)
}

/** A file as an answer needs it. */
export interface ReadyFile {
  id: string
  kind: 'image' | 'document'
  name: string
  mime: string
  bytes: number
  symbols: number
  /** The text of a document; empty for a picture. */
  content: string
  storageKey: string
}

const readyColumns = {
  id: files.id,
  kind: files.kind,
  name: files.name,
  mime: files.mime,
  bytes: files.bytes,
  state: files.state,
  error: files.error,
  symbols: files.symbols,
  content: files.content,
  storageKey: files.storageKey,
}

/** The caller's own chat files, one for each id in their order; throws unless all of them are ready. */
export async function readyFiles(db: Db, userId: string, ids: readonly string[]): Promise<ReadyFile[]> {
  if (ids.length === 0) return []
  const rows = await db
    .select(readyColumns)
    .from(files)
    .where(and(inArray(files.id, [...ids]), eq(files.userId, userId), isNull(files.assistantId)))
  const known = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = known.get(id)
    if (!row) throw noFile()
    const { state, error, symbols, content, ...file } = row
    if (state === 'failed')
      throw new AppError('bad_request', `Файл «${file.name}» не прочитан, уберите его. ${error ?? ''}`.trim())
    if (state !== 'ready')
      throw new AppError('conflict', `Файл «${file.name}» ещё читается. Подождите немного и отправьте снова.`)
    return { ...file, symbols: symbols ?? 0, content: content ?? '' }
  })
}

/** A picture as models that see are given it. Nothing is read before it is sent. */
export function pictureOf(
  storage: Storage,
  { name, mime, bytes, storageKey }: Pick<ReadyFile, 'name' | 'mime' | 'bytes' | 'storageKey'>,
): LlmPicture {
  return {
    mime,
    bytes,
    read: async function* () {
      const kept = await storage.read(storageKey).catch(storageAway)
      if (kept?.bytes !== bytes) throw notFound(`Картинка «${name}» не сохранилась. Загрузите её снова.`)
      try {
        yield* kept.stream
      } catch (cause) {
        storageAway(cause)
      }
    },
  }
}

function storageAway(cause: unknown): never {
  throw new AppError('unavailable', 'Файлы сейчас не читаются. Повторите через минуту.', { cause })
}

/** The same files as a model is given them: documents as fenced text, pictures by their bytes. */
export async function filesForModel({ db, user }: Pick<Ctx, 'db' | 'user'>, storage: Storage, ids: readonly string[]) {
  const ready = await readyFiles(db, user.id, ids)
  return ready.map((file) =>
    file.kind === 'image'
      ? { kind: 'image' as const, picture: pictureOf(storage, file) }
      : { kind: 'document' as const, text: fileAsText(file.name, file.content) },
  )
}
