import { asc, eq } from 'drizzle-orm'
import type { Database, Db } from '#server/db/client.ts'
import { models } from '#server/db/schema.ts'
import type { Log } from '#server/lib/log.ts'
import type { Embed } from '#server/llm/embeddings.ts'
import type { Providers } from '#server/llm/providers.ts'

export interface KnowledgeDeps {
  providers: Pick<Providers, 'embed'>
  /** Whether the database has pgvector; without it files are searched by words only. */
  hasVectors: boolean
  log: Log
  /** Symbols that are embedded free of charge per user and month; undefined means all. */
  freeSymbols?: number | undefined
}

export async function openKnowledge(
  database: Pick<Database, 'execute'>,
  providers: KnowledgeDeps['providers'],
  log: Log,
  freeSymbols?: number,
): Promise<KnowledgeDeps> {
  return { providers, log, freeSymbols, hasVectors: await openVectors(database, log) }
}

export interface Embedder {
  /** The model of the vectors. Vectors of different models cannot be compared. */
  name: string
  embed: Embed
  modelId: string
  /** Symbols charged for a symbol of text. */
  rate: number
}

/** The first embedding model with a configured provider. Hidden ones count too: users do not choose it. */
export async function findEmbedder(db: Db, { providers, hasVectors }: KnowledgeDeps): Promise<Embedder | null> {
  if (!hasVectors) return null
  const rows = await db
    .select({ provider: models.provider, model: models.providerModel, modelId: models.id, rate: models.inputRate })
    .from(models)
    .where(eq(models.kind, 'embedding'))
    .orderBy(asc(models.position), asc(models.id))
  for (const { provider, model, modelId, rate } of rows) {
    const embed = providers.embed(provider, model)
    if (embed) return { name: `${provider}/${model}`, embed, modelId, rate }
  }
  return null
}

/** Whether pgvector is installed or could be installed. Checked once at the start. */
export async function openVectors({ execute }: Pick<Database, 'execute'>, log: Log): Promise<boolean> {
  const isThere = async () => (await execute(`select 1 from pg_extension where extname = 'vector'`)).rows.length > 0
  if (await isThere()) return true
  try {
    await execute('create extension if not exists vector')
    return true
  } catch (error) {
    // Another instance may have created it at the same moment.
    if (await isThere()) return true
    log.info({ err: error }, 'database: no pgvector, files are searched by words only')
    return false
  }
}
