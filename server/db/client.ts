import { sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import type { Log } from '#server/lib/log.ts'
import type * as schema from './schema.ts'

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
  /** Whether a newer build has migrated this database. */
  isNewer: () => Promise<boolean>
  /** Runs `work` while no other instance migrates or runs such work. */
  exclusively: <T>(work: () => Promise<T>) => Promise<T>
  /** Runs `work` on a connection of its own; on the embedded database, on the only one. */
  onConnection: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>
  /** Applies migrations up to the given one, without functions and triggers, to load an archive of that schema. */
  migrateUntil: (lastMigration: number) => Promise<void>
  close: () => Promise<void>
}

/** One connection without statement timeouts, for a long transaction of the caller. */
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

export async function ping(db: Db): Promise<void> {
  await db.execute(sql`select 1`)
}
