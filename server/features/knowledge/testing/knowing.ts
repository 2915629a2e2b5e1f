import { assistants, files } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import type { TestApp } from '#server/testing/app.ts'
import { readFresh } from '../../files/reading.ts'

/** An assistant of somebody's. */
export async function anAssistant({ db }: Pick<TestApp, 'db'>, userId: string): Promise<string> {
  const id = newId()
  await db.insert(assistants).values({ id, userId, name: 'Знаток', avatar: '📚' })
  return id
}

/** A file as it has just come to an assistant. */
export async function aFileOf(
  app: Pick<TestApp, 'db' | 'files'>,
  to: { userId: string; assistantId: string },
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

/** The same, read and indexed. */
export async function aKnownFile(...given: Parameters<typeof aFileOf>): Promise<string> {
  const id = await aFileOf(...given)
  await readFresh(given[0].files, id)
  return id
}
