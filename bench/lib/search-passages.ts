import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/db/client.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { assistants, files, users } from '#server/db/schema.ts'
import { indexFile } from '#server/features/knowledge/indexing.ts'
import { findPassages } from '#server/features/knowledge/retrieve.ts'
import { newId } from '#server/lib/ids.ts'
import { openLog } from '#server/lib/log.ts'
import { readLibrary } from '../../eval/lib/library.ts'
import { startPostgres } from '../../scripts/lib/services.mjs'
import { atEnd } from './ending.ts'
import { quantile } from './numbers.ts'
import type { Row } from './table.ts'

const CHUNKS = 5000
const ASSISTANTS = 2
const app = { hasVectors: false, providers: { embed: () => null }, log: openLog('silent') }

/** Searches the documents of the evaluation, repeated to 5,000 passages; on Postgres a second assistant has as many. */
export async function searchRows(embedded: boolean): Promise<Row[]> {
  const postgres = embedded ? null : await startPostgres()
  if (postgres) atEnd(postgres.stop)
  const folder = mkdtempSync(join(tmpdir(), 'symbol-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const database = await openDatabase(postgres ? { url: postgres.url } : { folder }, sqlFolders())
  atEnd(database.close)
  await database.migrate()
  const { db } = database
  const library = await readLibrary()
  const text = (
    await Promise.all(library.documents.map(({ file }) => readFile(`eval/retrieval/documents/${file}`, 'utf8')))
  ).join('\n\n')
  const userId = newId()
  await db.insert(users).values({ id: userId, name: 'u', email: `${userId}@example.test` })
  const many = Array.from({ length: embedded ? 1 : ASSISTANTS }, () => newId())
  let chunks = 0
  for (const assistantId of many) {
    await db.insert(assistants).values({ id: assistantId, userId, name: 'Знаток', avatar: '📚' })
    chunks = 0
    for (let copy = 0; chunks < CHUNKS; copy += 1) {
      const id = newId()
      const content = withAlteredWords(text, copy)
      await db.insert(files).values({
        ...{ id, userId, assistantId, kind: 'document', name: `${copy}.md`, mime: 'text/markdown', bytes: 1, content },
        ...{ storageKey: id, state: 'ready', symbols: content.length },
      })
      await indexFile(
        db,
        app,
        { id, assistantId, name: `${copy}.md`, content, pages: [] },
        AbortSignal.timeout(600_000),
        () => {},
      )
      chunks += Math.floor(content.length / 1000)
    }
  }
  await db.execute('analyze')
  const [assistantId = ''] = many
  const ask = (question: string) => findPassages(db, app, { assistantId, question, most: 15_000 })
  for (const { question } of library.questions.slice(0, 10)) await ask(question)
  const times: number[] = []
  for (const { question } of library.questions) {
    const started = performance.now()
    await ask(question)
    times.push(performance.now() - started)
  }
  return [
    { what: 'отрывков у ассистента', ours: await countOf(assistantId) },
    { what: 'p50, мс', ours: quantile(times, 0.5), goal: { most: embedded ? 150 : 50 } },
    { what: 'p95, мс', ours: quantile(times, 0.95) },
  ]

  async function countOf(id: string): Promise<number> {
    const { rows } = await database.execute('select count(*)::int as n from file_passages where assistant_id = $1', [
      id,
    ])
    return (rows[0] as { n: number }).n
  }
}

/** Alters some words in each copy, so that no two copies are equal. */
const withAlteredWords = (text: string, copy: number) =>
  text.replace(/[а-яё]{6,}/gi, (word, at: number) => ((at * 31 + copy * 17) % 11 === 0 ? `${word}${copy % 40}` : word))
