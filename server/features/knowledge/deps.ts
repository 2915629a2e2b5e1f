import { asc, eq, type SQLWrapper, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { rowsIn } from '#server/db/rows-of.ts'
import { assistants, models, projects } from '#server/db/schema.ts'
import type { Log } from '#server/lib/log.ts'
import type { Embed } from '#server/llm/embeddings.ts'
import type { Providers } from '#server/llm/providers.ts'

export interface KnowledgeDeps {
  providers: Pick<Providers, 'embed'> & Partial<Pick<Providers, 'countryOf' | 'home'>>
  /** Whether the database has pgvector; without it files are searched by words only. */
  hasVectors: boolean
  log: Log
  /** Symbols that are embedded free of charge per user and month; undefined means all. */
  freeSymbols?: number | undefined
}

export async function openKnowledge(
  db: Db,
  providers: KnowledgeDeps['providers'],
  log: Log,
  freeSymbols?: number,
): Promise<KnowledgeDeps> {
  return { providers, log, freeSymbols, hasVectors: await openVectors(db, log) }
}

export interface Embedder {
  /** The model of the vectors. Vectors of different models cannot be compared. */
  name: string
  embed: Embed
  modelId: string
  /** Symbols charged for a symbol of text. */
  rate: number
  /** Where the texts go; null when unknown. */
  country: string | null
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
    const country = providers.countryOf?.(provider) ?? null
    if (embed) return { name: `${provider}/${model}`, embed, modelId, rate, country }
  }
  return null
}

/** Null also for a library that is bound to another country: its files are searched by words only. */
export async function findEmbedderFor(db: Db, deps: KnowledgeDeps, libraryId: string | null) {
  const embedder = await findEmbedder(db, deps)
  if (!embedder || libraryId === null) return embedder
  const bound = await countryOfLibrary(db, libraryId)
  return bound !== null && bound !== embedder.country ? null : embedder
}

/** The country that the data of an assistant or a project stays in; null for any. */
export async function countryOfLibrary(db: Db, libraryId: string): Promise<string | null> {
  const [row] = await db
    .select({ country: assistants.country })
    .from(assistants)
    .where(eq(assistants.id, libraryId))
    .unionAll(db.select({ country: projects.country }).from(projects).where(eq(projects.id, libraryId)))
  return row?.country ?? null
}

/** The assistant or the project is bound to a country that the texts would leave. */
export const isBoundElsewhere = (libraryId: SQLWrapper, { country }: Embedder) => sql`exists (
  select 1 from (select id, country from assistants union all select id, country from projects) library
  where library.id = ${libraryId} and library.country is not null and library.country is distinct from ${country})`

/** Whether pgvector is installed or could be installed. Checked once at the start. */
export async function openVectors(db: Db, log: Log): Promise<boolean> {
  const isThere = async () =>
    rowsIn(await db.execute(sql`select 1 from pg_extension where extname = 'vector'`)).length > 0
  if (await isThere()) return true
  try {
    await db.execute(sql`create extension if not exists vector`)
    return true
  } catch (error) {
    // Another instance may have created it at the same moment.
    if (await isThere()) return true
    log.info({ err: error }, 'database: no pgvector, files are searched by words only')
    return false
  }
}
