import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { models } from '#server/db/schema.ts'
import { findEmbedder, openKnowledge } from '#server/features/knowledge/deps.ts'
import { rankByVectors, rankByWords } from '#server/features/knowledge/rank.ts'
import { rankPassages } from '#server/features/knowledge/retrieve.ts'
import { seedModels } from '#server/features/models/start-models.ts'
import { openLog } from '#server/lib/log.ts'
import { readModelProviders } from '#server/llm/provider-settings.ts'
import { createProviders } from '#server/llm/providers.ts'
import { fillLibrary, type Rank, type Recall, readLibrary, recallOf } from './lib/library.ts'

/**
 * Measures the recall of the search over the documents of `eval/retrieval`, on the embedded database.
 * Run: npm run eval:retrieval
 *   with a provider in the environment, vectors too: -- --embeddings openai/text-embedding-3-small
 *   without one, with fake vectors that know spelling only: -- --demo-vectors
 */

const MIN_RECALL = 0.9
const CANDIDATES = 40
const DEMO_VECTOR_SIZE = 512

const isDemo = process.argv.includes('--demo-vectors')
const { configured } = readModelProviders(process.env)
const named = process.argv[process.argv.indexOf('--embeddings') + 1] ?? ''
const byDefault = configured.some(({ name }) => name === 'openai') ? 'openai/text-embedding-3-small' : null
const embedderName = isDemo ? 'demo/spelling' : process.argv.includes('--embeddings') ? named : byDefault

const folder = mkdtempSync(join(tmpdir(), 'symbol-eval-'))
const database = await openDatabase({ folder }, sqlFolders())
try {
  await database.migrate()
  await seedModels(database.db)
  process.exitCode = (await evaluate()) >= MIN_RECALL ? 0 : 1
} finally {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
}

async function evaluate(): Promise<number> {
  const { db } = database
  const providers = isDemo
    ? { embed: () => async (texts: string[]) => texts.map(demoVector) }
    : createProviders(configured)
  const deps = await openKnowledge(db, providers, openLog('warn'))
  if (embedderName) await addEmbedder(embedderName)
  const library = await readLibrary()
  const started = performance.now()
  const assistantId = await fillLibrary(db, deps, library)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${library.documents.length} documents in ${seconds} s, ${library.questions.length} questions`)

  const byWords: Rank = (question) => rankByWords(db, assistantId, question, CANDIDATES)
  const words = await recallOf(db, library.questions, byWords)
  printRecall('by words', words)
  const embedder = await findEmbedder(db, deps)
  if (embedder) {
    const ask = (question: string) => ({ assistantId, question, limit: CANDIDATES })
    const byVectors: Rank = (question) => rankByVectors(db, deps, embedder, ask(question))
    printRecall(`by vectors (${embedder.name})`, await recallOf(db, library.questions, byVectors))
    printRecall(
      'merged',
      await recallOf(db, library.questions, (question) => rankPassages(db, deps, { assistantId, question })),
    )
  } else console.log('by vectors: no embedding model, see the head of eval/retrieval.ts')
  return words.share
}

async function addEmbedder(name: string): Promise<void> {
  const [provider = '', ...model] = name.split('/')
  const row = { id: 'eval-embedding', name, kind: 'embedding', provider, providerModel: model.join('/') } as const
  await database.db.insert(models).values(row)
}

function printRecall(name: string, { share, first, misses }: Recall): void {
  console.log(`${name}: recall@5 ${share.toFixed(3)}, recall@1 ${first.toFixed(3)}`)
  for (const { question, position } of misses)
    console.log(`  ${position === null ? 'not found' : `position ${position}`}: ${question}`)
}

/** Hashed character n-grams. They know spelling and no meaning: they test the code, not the quality of vectors. */

function demoVector(text: string): number[] {
  const vector = new Array<number>(DEMO_VECTOR_SIZE).fill(0)
  for (const [word] of text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .matchAll(/[\p{L}\p{N}]{3,}/gu)) {
    for (let at = 0; at + 4 <= word.length + 1; at += 1) {
      const slot = hash(word.slice(at, at + 4)) % DEMO_VECTOR_SIZE
      vector[slot] = (vector[slot] ?? 0) + 1
    }
  }
  const damped = vector.map((count) => Math.log1p(count))
  const length = Math.hypot(...damped) || 1
  return damped.map((value) => value / length)
}

function hash(text: string): number {
  let value = 2_166_136_261
  for (const sign of text) value = Math.imul(value ^ (sign.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return value
}
