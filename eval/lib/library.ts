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

/** How a question is worded: in the words of the text, in other words, or with slips and abbreviations. */
const Kind = z.enum(['plain', 'paraphrased', 'misspelt'])

const Question = z.object({
  question: z.string(),
  file: z.string(),
  /** A quote of the passage that answers it. */
  quote: z.string(),
  kind: z.optional(Kind),
  /** What a model would write to search for it; stands in for the model. */
  searchWords: z.optional(z.string()),
})
export type Question = z.infer<typeof Question>

const Library = z.object({
  documents: z.array(z.object({ file: z.string(), name: z.string() })),
  questions: z.array(Question),
})
export type Library = z.infer<typeof Library> & { folder: string }

/**
 * `own`: documents and questions by the authors of the ranking. `development`: harder questions on real laws, to try
 * changes on. `unseen`: questions on the same laws by a person who had not seen the code; no rule, list or weight may be
 * made from them.
 */
export const halves = ['own', 'development', 'unseen'] as const
export type Half = (typeof halves)[number]

/** The lowest recall@5 that passes, a little below what was measured (docs/decisions/091). */
export const floors: Record<Half, { words: number; searchWords: number; vectors: number }> = {
  own: { words: 0.96, searchWords: 0.96, vectors: 0.88 },
  development: { words: 0.84, searchWords: 0.84, vectors: 0.74 },
  unseen: { words: 0.75, searchWords: 0.97, vectors: 0.96 },
}

const folders: Record<Half, { questions: string; documents: string }> = {
  own: { questions: '.', documents: 'documents' },
  development: { questions: 'development', documents: 'unseen/documents' },
  unseen: { questions: 'unseen', documents: 'unseen/documents' },
}
const root = fileURLToPath(new URL('../retrieval', import.meta.url))

export async function readLibrary(half: Half): Promise<Library> {
  const { questions, documents } = folders[half]
  const text = await readFile(join(root, questions, 'questions.json'), 'utf8')
  return { ...Library.parse(JSON.parse(text)), folder: join(root, documents) }
}

const mimes: Record<string, string> = { '.csv': documents.csv.mime, '.txt': documents.txt.mime }

/** Creates an assistant and indexes the documents as uploads are indexed. Returns its id. */
export async function fillLibrary(db: Db, deps: KnowledgeDeps, { documents: list, folder }: Library): Promise<string> {
  const [userId, libraryId] = [newId(), newId()]
  await db.insert(users).values({ id: userId, name: 'Библиотекарь', email: `${userId}@example.test` })
  await db.insert(assistants).values({ id: libraryId, userId, name: 'Библиотека', avatar: '📚' })
  for (const { file, name } of list) {
    const mime = mimes[extname(file)] ?? documents.md.mime
    const bytes = new Uint8Array(await readFile(join(folder, file)))
    const { content, pages } = await readDocument(mime, bytes)
    const id = newId()
    const symbols = fileAsText(name, content).length
    await db.insert(files).values({
      ...{ id, userId, libraryId, name, mime, bytes: bytes.length, symbols, content, pages },
      ...{ kind: 'document', storageKey: `eval/${file}`, state: 'ready', progress: 100 },
    })
    await indexFile(db, deps, { id, libraryId, name, content, pages }, AbortSignal.timeout(600_000), () => {})
  }
  return libraryId
}

export type Rank = (question: Question) => Promise<string[]>

export interface Recall {
  /** The share of questions whose answer is among the first `depth` passages. */
  share: number
  /** The same for the first passage alone. */
  first: number
  /** The same as `share` for each kind of question. */
  kinds: Partial<Record<z.infer<typeof Kind>, number>>
  misses: { question: string; position: number | null }[]
}

export async function recallOf(db: Db, questions: Question[], rank: Rank, depth = 5): Promise<Recall> {
  const [passages, ids] = await Promise.all([readPassages(db), readFileIds(db)])
  const asked: { question: Question; position: number }[] = []
  for (const question of questions) {
    const found = await rank(question)
    const position = found.findIndex((id) => {
      const passage = passages.get(id)
      const isRight = passage?.fileId === ids.get(question.file)
      return isRight && normalizeSpaces(passage?.text ?? '').includes(normalizeSpaces(question.quote))
    })
    asked.push({ question, position: position < 0 ? Number.POSITIVE_INFINITY : position + 1 })
  }
  const within = (most: number, of = asked) => of.filter(({ position }) => position <= most).length / of.length
  const misses = asked
    .filter(({ position }) => position > depth)
    .map(({ question: { question }, position }) => ({
      question,
      position: Number.isFinite(position) ? position : null,
    }))
  const kinds = Object.fromEntries(
    Kind.options.flatMap((kind) => {
      const of = asked.filter(({ question }) => question.kind === kind)
      return of.length > 0 ? [[kind, within(depth, of)]] : []
    }),
  )
  return { share: within(depth), first: within(1), kinds, misses }
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
