import { assistants, files } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import type { TestApp } from '#server/testing/app.ts'
import { readUploaded } from '../../files/reading.ts'

export async function insertAssistant({ db }: Pick<TestApp, 'db'>, userId: string): Promise<string> {
  const id = newId()
  await db.insert(assistants).values({ id, userId, name: 'Знаток', avatar: '📚' })
  return id
}

export async function insertFile(
  app: Pick<TestApp, 'db' | 'files'>,
  to: { userId: string; libraryId: string },
  name: string,
  content: string | Buffer,
  mime = 'text/plain',
): Promise<string> {
  const id = newId()
  const [storageKey, bytes] = [`uploads/${id}`, Buffer.from(content)]
  await app.files.storage.put(storageKey, bytes, mime)
  const row = { id, ...to, kind: 'document', name, mime, bytes: bytes.length, storageKey, state: 'uploaded' } as const
  await app.db.insert(files).values(row)
  return id
}

export async function insertIndexedFile(...file: Parameters<typeof insertFile>): Promise<string> {
  const id = await insertFile(...file)
  await readUploaded(file[0].files, id)
  return id
}
