import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { assistants, filePassages, files, users } from '#server/db/schema.ts'
import { fileAsText } from '#server/features/files/as-text.ts'
import type { KnowledgeDeps } from '#server/features/knowledge/deps.ts'
import { indexFile } from '#server/features/knowledge/indexing.ts'
import { readDocument } from '#server/files/read-document.ts'
import { documents } from '#server/files/types.ts'
import { newId } from '#server/lib/ids.ts'

/** What people asked, and the words that answer them. */
const Library = z.object({
  documents: z.array(z.object({ file: z.string(), name: z.string() })),
  questions: z.array(z.object({ question: z.string(), file: z.string(), quote: z.string() })),
})
export type Library = z.infer<typeof Library>
export type Question = Library['questions'][number]

const folder = fileURLToPath(new URL('../retrieval', import.meta.url))

export async function readLibrary(): Promise<Library> {
  return Library.parse(JSON.parse(await readFile(join(folder, 'questions.json'), 'utf8')))
}

/** An assistant that has read all the documents, by the same way as uploaded ones. */
export async function fillLibrary(db: Db, app: KnowledgeDeps, { documents: list }: Library): Promise<string> {
  const [userId, assistantId] = [newId(), newId()]
  await db.insert(users).values({ id: userId, name: 'Библиотекарь', email: `${userId}@example.test` })
  await db.insert(assistants).values({ id: assistantId, userId, name: 'Библиотека', avatar: '📚' })
  for (const { file, name } of list) {
    const mime = extname(file) === '.csv' ? documents.csv.mime : documents.md.mime
    const bytes = new Uint8Array(await readFile(join(folder, 'documents', file)))
    const { content, pages } = await readDocument(mime, bytes)
    const id = newId()
    const symbols = fileAsText(name, content).length
    await db.insert(files).values({
      ...{ id, userId, assistantId, name, mime, bytes: bytes.length, symbols, content, pages },
      ...{ kind: 'document', storageKey: `eval/${file}`, state: 'ready', progress: 100 },
    })
    await indexFile(db, app, { id, assistantId, name, content, pages }, AbortSignal.timeout(600_000), () => {})
  }
  return assistantId
}

/** Chunk id → its text and the name of its file. */
export async function chunksOf(db: Db): Promise<Map<string, { text: string; fileId: string }>> {
  const rows = await db
    .select({ id: filePassages.id, text: filePassages.text, fileId: filePassages.fileId })
    .from(filePassages)
  return new Map(rows.map(({ id, ...chunk }) => [id, chunk]))
}

/** File of the library → its id. */
export async function fileIds(db: Db): Promise<Map<string, string>> {
  const rows = await db.select({ id: files.id, key: files.storageKey }).from(files)
  return new Map(rows.map(({ id, key }) => [key.replace('eval/', ''), id]))
}
