import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { assistants, filePassages, files, users } from '#server/db/schema.ts'
import { fileAsText } from '#server/features/files/files.ts'
import type { KnowledgeDeps } from '#server/features/knowledge/deps.ts'
import { indexFile } from '#server/features/knowledge/indexing.ts'
import { readDocument } from '#server/files/read-document.ts'
import { documents } from '#server/files/types.ts'
import { newId } from '#server/lib/ids.ts'

/** Questions, and the quote that answers each. */
const Library = z.object({
  documents: z.array(z.object({ file: z.string(), name: z.string() })),
  questions: z.array(z.object({ question: z.string(), file: z.string(), quote: z.string() })),
})
export type Library = z.infer<typeof Library>
type Question = Library['questions'][number]

const folder = fileURLToPath(new URL('../retrieval', import.meta.url))

export async function readLibrary(): Promise<Library> {
  return Library.parse(JSON.parse(await readFile(join(folder, 'questions.json'), 'utf8')))
}

/** Creates an assistant and indexes the documents as uploads are indexed. Returns its id. */
export async function fillLibrary(db: Db, deps: KnowledgeDeps, { documents: list }: Library): Promise<string> {
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
    await indexFile(db, deps, { id, assistantId, name, content, pages }, AbortSignal.timeout(600_000), () => {})
  }
  return assistantId
}

export type Rank = (question: string) => Promise<string[]>

export interface Recall {
  /** The share of questions whose answer is among the first `depth` passages. */
  share: number
  /** The same for the first passage alone. */
  first: number
  misses: { question: string; position: number | null }[]
}

export async function recallOf(db: Db, questions: Question[], rank: Rank, depth = 5): Promise<Recall> {
  const [passages, ids] = await Promise.all([readPassages(db), readFileIds(db)])
  const positions: (number | null)[] = []
  for (const { question, file, quote } of questions) {
    const found = await rank(question)
    const position = found.findIndex((id) => {
      const passage = passages.get(id)
      return passage?.fileId === ids.get(file) && normalizeSpaces(passage?.text ?? '').includes(normalizeSpaces(quote))
    })
    positions.push(position < 0 ? null : position + 1)
  }
  const within = (most: number) =>
    positions.filter((position) => position !== null && position <= most).length / questions.length
  const misses = questions.flatMap(({ question }, n) => {
    const position = positions[n] ?? null
    return position !== null && position <= depth ? [] : [{ question, position }]
  })
  return { share: within(depth), first: within(1), misses }
}

const normalizeSpaces = (text: string) => text.replace(/\s+/g, ' ')

/** By the id of the passage. */
async function readPassages(db: Db): Promise<Map<string, { text: string; fileId: string }>> {
  const rows = await db
    .select({ id: filePassages.id, text: filePassages.text, fileId: filePassages.fileId })
    .from(filePassages)
  return new Map(rows.map(({ id, ...passage }) => [id, passage]))
}

/** File name in the library → id of its row. */
async function readFileIds(db: Db): Promise<Map<string, string>> {
  const rows = await db.select({ id: files.id, key: files.storageKey }).from(files)
  return new Map(rows.map(({ id, key }) => [key.replace('eval/', ''), id]))
}
