import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { models } from '#server/db/schema.ts'
import { findEmbedder, type KnowledgeDeps, openKnowledge } from '#server/features/knowledge/deps.ts'
import { rankByVectors, rankByWords } from '#server/features/knowledge/rank.ts'
import { mergeRanks } from '#server/features/knowledge/retrieve.ts'
import { seedModels } from '#server/features/models/start-models.ts'
import { openLog } from '#server/lib/log.ts'
import { readModelProviders } from '#server/llm/provider-settings.ts'
import { createProviders } from '#server/llm/providers.ts'
import { fillLibrary, floors, type Half, halves, type Rank, type Recall, readLibrary, recallOf } from './lib/library.ts'
import { spellingVector } from './lib/spelling-vectors.ts'

/**
 * Measures the recall of the search over the sets of `eval/retrieval`, on the embedded database, and fails below the
 * floor of a set. Run: npm run eval:retrieval
 *   with a provider in the environment, vectors of a real model: -- --embeddings openai/text-embedding-3-small
 *   without one the vectors are scripted: spelling of the question with its search words, which stand for the meaning
 *   -- --misses lists the questions that were not found; the unseen ones stay unseen
 */

const CANDIDATES = 40

const { configured } = readModelProviders(process.env)
const named = process.argv[process.argv.indexOf('--embeddings') + 1] ?? ''
const byDefault = configured.some(({ name }) => name === 'openai')
  ? 'openai/text-embedding-3-small'
  : 'scripted/spelling'
const embedderName = process.argv.includes('--embeddings') ? named : byDefault
const isScripted = embedderName === 'scripted/spelling'

const folder = mkdtempSync(join(tmpdir(), 'symbol-eval-'))
const database = await openDatabase({ folder }, sqlFolders())
const { db } = database
try {
  await database.migrate()
  await seedModels(db)
  const [provider = '', ...model] = embedderName.split('/')
  const row = { id: 'eval-embedding', kind: 'embedding', provider, providerModel: model.join('/') } as const
  await db.insert(models).values({ ...row, name: embedderName, position: -1 })
  const providers = isScripted
    ? { embed: () => async (texts: string[]) => texts.map(spellingVector) }
    : createProviders(configured)
  const deps = await openKnowledge(db, providers, openLog('warn'))
  let hasPassed = true
  for (const half of halves) hasPassed = (await evaluate(half, deps)) && hasPassed
  process.exitCode = hasPassed ? 0 : 1
} finally {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
}

async function evaluate(half: Half, deps: KnowledgeDeps): Promise<boolean> {
  const library = await readLibrary(half)
  const { questions } = library
  const libraryId = await fillLibrary(db, deps, library)
  console.log(`\n${half}: ${library.documents.length} documents, ${questions.length} questions`)
  const floor = floors[half]
  const measure = async (name: string, rank: Rank, least: number | null) => {
    const started = performance.now()
    const recall = await recallOf(db, questions, rank)
    printRecall(name, recall, (performance.now() - started) / questions.length, least)
    if (half !== 'unseen' && process.argv.includes('--misses')) printMisses(recall)
    return least === null || recall.share >= least
  }
  const byWords: Rank = ({ question }) => rankByWords(db, libraryId, { question }, CANDIDATES)
  const bySearchWords: Rank = (asked) => rankByWords(db, libraryId, asked, CANDIDATES)
  const passed = [
    await measure('words alone', byWords, floor.words),
    await measure('with search words', bySearchWords, floor.searchWords),
  ]
  const embedder = await findEmbedder(db, deps)
  if (!embedder) throw new Error(`No embedding model: ${embedderName}`)
  const byVectors: Rank = (asked) =>
    rankByVectors(db, deps, embedder, { libraryId, question: meaningOf(asked), limit: CANDIDATES })
  const merged: Rank = async (asked) => mergeRanks(await Promise.all([byWords(asked), byVectors(asked)]))
  await measure(`vectors alone (${embedder.name})`, byVectors, null)
  passed.push(await measure('words and vectors', merged, isScripted ? floor.vectors : null))
  return passed.every(Boolean)
}

/** A real model knows what a question means; the scripted one is told. */
function meaningOf({ question, searchWords = '' }: Parameters<Rank>[0]): string {
  return isScripted ? `${question} ${searchWords}` : question
}

function printRecall(name: string, { share, first, kinds }: Recall, ms: number, least: number | null): void {
  const each = Object.entries(kinds).map(([kind, of]) => `${kind} ${of.toFixed(2)}`)
  const verdict = least !== null && share < least ? `  BELOW ${least}` : ''
  const line = [`recall@5 ${share.toFixed(3)}`, `recall@1 ${first.toFixed(3)}`, ...each, `${ms.toFixed(0)} ms each`]
  console.log(`  ${name}: ${line.join(', ')}${verdict}`)
}

function printMisses({ misses }: Recall): void {
  for (const { question, position } of misses)
    console.log(`    ${position === null ? 'not found' : `position ${position}`}: ${question}`)
}
