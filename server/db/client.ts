import type { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite'
import type pg from 'pg'
import type { Log } from '#server/lib/log.ts'
import { openFolder } from './embedded.ts'
import { applyMigrations, migrateDatabase, missingParts } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import * as schema from './schema.ts'
import { guardClient, watchTransactions } from './transactions.ts'

/** A connection or an open transaction: a function called with a transaction joins it. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

export interface Database {
  db: Db
  /** Set on Postgres only, for what needs the driver itself. */
  pool: pg.Pool | null
  /** Plain SQL for libraries; one text may contain several statements. */
  execute: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
  /** Applies migrations, functions and triggers of this build. Takes no locks when nothing is missing. */
  migrate: () => Promise<void>
  /** Names of what `migrate` would apply. */
  missing: () => Promise<string[]>
  /** Runs `work` while no other instance migrates or runs such work. */
  exclusively: <T>(work: () => Promise<T>) => Promise<T>
  /** Runs `work` on a connection of its own; on the embedded database, on the only one. */
  onConnection: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>
  /** Applies the migrations up to the given one, without functions and triggers: what an archive of that time needs. */
  migrateUntil: (lastMigration: number) => Promise<void>
  close: () => Promise<void>
}

/** One connection, with no limit of time on its statements: for the caller's own transaction over everything. */
export interface Connection {
  db: Db
  execute: Database['execute']
}

export interface SqlFolders {
  migrations: string
  functions: string
}

export interface DatabaseOptions {
  /** Connections for requests; long work has a few of its own. Postgres only. */
  poolSize?: number
  log?: Pick<Log, 'info' | 'warn'>
}

const options = { schema, casing: 'snake_case' } as const

export async function openDatabase(
  where: { url: string } | { folder: string },
  folders: SqlFolders,
  settings: DatabaseOptions = {},
): Promise<Database> {
  return 'url' in where ? openPostgres(where.url, folders, settings) : openEmbedded(where.folder, folders)
}

async function openEmbedded(folder: string, folders: SqlFolders): Promise<Database> {
  const { client, close, explain } = await openFolder(folder)
  const opened = wrapEmbedded(client, folders)
  return { ...opened, migrate: () => opened.migrate().catch(explain), close }
}

export function wrapEmbedded(client: PGlite, folders: SqlFolders): Database {
  const db = drizzleEmbedded(client, options)
  guardClient(client, ['query', 'exec', 'transaction'])
  const execute: Database['execute'] = async (text, values) => {
    if (values && values.length > 0) return client.query(text, values)
    return (await client.exec(text)).at(-1) ?? { rows: [] }
  }
  return {
    db: watchTransactions(db),
    pool: null,
    execute,
    migrate: async () => void (await migrateDatabase(execute, folders)),
    missing: () => missingParts(execute, folders),
    exclusively: (work) => work(),
    onConnection: (work) => work({ db, execute }),
    migrateUntil: (last) => applyMigrations(execute, folders, { last }),
    close: () => client.close(),
  }
}

export async function ping(db: Db): Promise<void> {
  await db.execute(sql`select 1`)
}
