import { and, asc, eq, inArray, isNotNull, isNull, not } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { files, messageFiles, messages, projects, threads } from '#server/db/schema.ts'
import { entryId } from '#server/files/chats/own.ts'
import { downloadName, fileHeaders } from '#server/files/file-name.ts'
import { writeZip, type ZipEntry } from '#server/files/write-zip.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Storage } from '#server/storage/storage.ts'
import { jsonOf, threadsOf } from '../users/data-export.ts'
import { ownProject, projectNotFound } from './projects.ts'

/** Instructions, chats and files of a project in one archive, streamed while it is read. The import reads it again. */
export async function exportProject({ db, user }: Ctx, storage: Storage, id: string): Promise<Response> {
  const { name, icon, instructions, replacesPersonal, searchWords, country, archived, createdAt } = projects
  const [row] = await db
    .select({ id: projects.id, name, icon, instructions, replacesPersonal, searchWords, country, archived, createdAt })
    .from(projects)
    .where(ownProject(user.id, id))
  if (!row) throw projectNotFound()
  const own = await filesIn(db, id)
  async function* entries(): AsyncGenerator<ZipEntry> {
    const whole = {
      exportedAt: new Date(),
      projects: [{ ...row, files: own.map(({ id: fileId, name: fileName }) => ({ id: fileId, name: fileName })) }],
      threads: threadsOf(db, user.id, id),
    }
    yield { name: 'project.json', content: bytesOf(jsonOf(whole)) }
    if (row?.instructions) yield { name: 'instructions.txt', content: bytesOf([row.instructions]) }
    for await (const file of own) yield* entryOf(storage, file)
    for await (const file of attachedIn(db, user.id, id)) yield* entryOf(storage, file)
  }
  return new Response(ReadableStream.from(writeZip(entries())), {
    headers: fileHeaders(downloadName(row.name, 'zip'), 'application/zip'),
  })
}

interface StoredFile {
  id: string
  name: string
  storageKey: string
}

const columns = { id: files.id, name: files.name, storageKey: files.storageKey }

const filesIn = (db: Db, libraryId: string): Promise<StoredFile[]> =>
  db.select(columns).from(files).where(eq(files.libraryId, libraryId)).orderBy(asc(files.createdAt), asc(files.id))

/** Files of the messages; copies of a chat share theirs, so each comes once. */
async function* attachedIn(db: Db, userId: string, projectId: string): AsyncGenerator<StoredFile> {
  const chats = and(eq(threads.projectId, projectId), eq(threads.userId, userId), not(threads.temporary))
  const ids = db
    .select({ id: messageFiles.fileId })
    .from(messageFiles)
    .innerJoin(messages, eq(messages.id, messageFiles.messageId))
    .innerJoin(threads, eq(threads.id, messages.threadId))
    .where(and(chats, isNull(threads.deletedAt)))
  yield* await db
    .select(columns)
    .from(files)
    .where(and(inArray(files.id, ids), eq(files.userId, userId), isNotNull(files.storageKey)))
    .orderBy(asc(files.id))
}

/** A file whose bytes are gone is only named. */
async function* entryOf(storage: Storage, { id, name, storageKey }: StoredFile): AsyncGenerator<ZipEntry> {
  const stored = await storage.read(storageKey)
  // The import would look for chats in a JSON.
  const safe = /\.json$/i.test(name) ? `${name}.txt` : name
  if (stored) yield { name: `files/${entryId(id)} ${safe}`, content: stored.stream }
}

async function* bytesOf(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text)
}
