import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, isNull, sum } from 'drizzle-orm'
import { countSymbols } from '#contract/billing.ts'
import { IMAGE_SYMBOLS, MAX_CHAT_BYTES, MAX_FILE_BYTES } from '#contract/files.ts'
import type { Db } from '#server/db/client.ts'
import { files, messageFiles } from '#server/db/schema.ts'
import type { ReadingArchive } from '#server/files/chats/archive-thread.ts'
import type { EntryRef, ReadDocument, ReadPicture } from '#server/files/chats/chat.ts'
import { safeFileName } from '#server/files/file-name.ts'
import { shrinkImage } from '#server/files/image.ts'
import { tidy } from '#server/files/text.ts'
import { type FileType, documents as kinds } from '#server/files/types.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { LocalFile } from '#server/storage/storage.ts'
import { fileAsText, UPLOADS } from '../files/files.ts'
import { readInBackground } from '../files/upload.ts'
import type { ImportDeps } from './deps.ts'

type NewFile = typeof files.$inferInsert

/** Files whose bytes are stored and whose rows are not yet. */
export type StoredFiles = NewFile[]

interface MessageOfPlan {
  rowId: string
  content: string
  pictures: ReadPicture[]
  documents: ReadDocument[]
  files: string[]
}

interface Plan {
  messages: MessageOfPlan[]
  lostPictures: number
  lostFiles: number
}

const NO_ROOM = '[Картинка не перенесена]'

/** Stores pictures and texts of messages as files of chats, as far as the room for them goes. */
export async function createFileStore(deps: ImportDeps, userId: string, archive: ReadingArchive, signal: AbortSignal) {
  const { db, storage, incoming } = deps
  let room = MAX_CHAT_BYTES - (await storedBytes(db, userId))

  async function store(
    content: Uint8Array | LocalFile,
    file: Pick<NewFile, 'kind' | 'mime' | 'name'> & Partial<NewFile>,
    to: StoredFiles,
  ) {
    const bytes = 'path' in content ? content.bytes : content.length
    if (bytes > room) return null
    const id = newId()
    const storageKey = `${UPLOADS}/${id}`
    await storage.put(storageKey, content, file.mime)
    room -= bytes
    to.push({ state: 'ready', progress: 100, ...file, id, userId, storageKey, bytes })
    return id
  }

  /** Null for what has no room and for what is no whole picture or, where one may come, document. */
  async function storeEntry(entry: EntryRef, given: string, may: 'picture' | 'any', to: StoredFiles) {
    const unpacked = room > 0 ? await unpackEntry({ archive, incoming, signal }, entry, given) : null
    if (!unpacked) return null
    const { local, type } = unpacked
    try {
      if (type.kind === 'image') {
        const { content, kind, mime } = await shrinkImage(local, type.mime, signal)
        const name = safeFileName(may === 'any' ? given : `${given}.${mime.split('/')[1]}`)
        return await store(content, { kind, mime, name, symbols: IMAGE_SYMBOLS }, to)
      }
      const file = { ...type, name: safeFileName(given), state: 'uploaded' as const, progress: 0 }
      return may === 'any' ? await store(local, file, to) : null
    } catch (error) {
      signal.throwIfAborted()
      if (isOfTheFile(error)) return null
      throw error
    } finally {
      await rm(local.path, { force: true })
    }
  }

  function storeDocument({ name: given, content: text }: ReadDocument, to: StoredFiles): Promise<string | null> {
    if (typeof text !== 'string') return storeEntry(text, given, 'any', to)
    const name = safeFileName(/\.\w{1,5}$/.test(given) ? given : `${given}.txt`)
    const content = tidy(text)
    const symbols = countSymbols(fileAsText(name, content))
    return store(Buffer.from(content), { ...kinds.txt, name, symbols, content }, to)
  }

  return {
    /** Stores the bytes; where a file does not come, the message says so. */
    add: async (plan: Plan, to: StoredFiles): Promise<void> => {
      for (const message of plan.messages) {
        let lost = 0
        for (const picture of message.pictures) {
          const id = await storeEntry(picture, picture.name, 'picture', to)
          if (id === null) lost += 1
          else message.files.push(id)
        }
        plan.lostPictures += lost
        const notes = Array.from({ length: lost }, () => NO_ROOM)
        for (const document of message.documents) {
          const id = await storeDocument(document, to)
          if (id !== null) message.files.push(id)
          else {
            plan.lostFiles += 1
            notes.push(`[Файл «${document.name}» не перенесён]`)
          }
        }
        message.content = [message.content, ...notes].filter(Boolean).join('\n\n')
      }
    },
    insert: async (tx: Db, to: StoredFiles, plans: Plan[]): Promise<void> => {
      if (to.length > 0) await tx.insert(files).values(to)
      const links = plans.flatMap(({ messages }) =>
        messages.flatMap(({ rowId, files: ids }) =>
          ids.map((fileId, position) => ({ messageId: rowId, fileId, position })),
        ),
      )
      if (links.length > 0) await tx.insert(messageFiles).values(links)
    },
    /** One after another; a crash leaves the rest to the sweep that reads files. */
    read: async (to: StoredFiles): Promise<void> => {
      for (const { id, state } of to) if (state === 'uploaded') await readInBackground(deps.reading, id, userId)
    },
  }
}

/** Unpacks an entry into a new file and says what it is; null when it is broken, too large or nothing that we read. */
export async function unpackEntry(
  { archive, incoming, signal }: { archive: ReadingArchive; incoming: string; signal: AbortSignal },
  entry: EntryRef,
  name: string,
): Promise<{ local: LocalFile; type: FileType } | null> {
  const path = join(incoming, newId())
  try {
    if (!(await archive.extract(entry, path, MAX_FILE_BYTES))) return null
    const local = { path, bytes: (await stat(path)).size }
    const { recogniseFile } = await import('#server/files/recognise.ts')
    return { local, type: await recogniseFile(local, name) }
  } catch (error) {
    await rm(path, { force: true })
    signal.throwIfAborted()
    if (isOfTheFile(error)) return null
    throw error
  }
}

/** Rejections say what is wrong with the picture; anything else is wrong with the server. */
const isOfTheFile = (error: unknown) => error instanceof AppError

async function storedBytes(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ bytes: sum(files.bytes).mapWith(Number) })
    .from(files)
    .where(and(eq(files.userId, userId), isNull(files.libraryId)))
  return row?.bytes ?? 0
}
