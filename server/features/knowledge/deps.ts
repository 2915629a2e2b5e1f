import { asc, eq } from 'drizzle-orm'
import type { Database, Db } from '#server/db/client.ts'
import { models } from '#server/db/schema.ts'
import { openVectors } from '#server/db/vectors.ts'
import type { Log } from '#server/lib/log.ts'
import type { Embed } from '#server/llm/embeddings.ts'
import type { Providers } from '#server/llm/providers.ts'

/** What knowledge needs besides the database. */
export interface KnowledgeDeps {
  providers: Pick<Providers, 'embed'>
  /** Whether the database can compare vectors; without that files are searched by words. */
  hasVectors: boolean
  log: Log
  /** How many symbols of one person's files are embedded free of charge in a month; all are where it is not said. */
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
  /** Whose vectors these are: vectors of two models say nothing of each other. */
  name: string
  embed: Embed
  modelId: string
  /** Symbols of balance for a symbol of text. */
  rate: number
}

/** The first embedding model there is, hidden or not: nobody chooses it for a chat. Null if there is none to ask. */
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
