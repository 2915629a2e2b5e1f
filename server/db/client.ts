import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite'
import { migrate as migrateEmbedded } from 'drizzle-orm/pglite/migrator'
import pg from 'pg'
import { lockFolder } from './folder-lock.ts'
import * as schema from './schema.ts'
import { guardClient, watchTransactions } from './transactions.ts'

/** A connection or an open transaction: a verb called inside another joins it. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

export interface Database {
  db: Db
  /** Set on Postgres only, for what needs the driver itself. */
  pool: pg.Pool | null
  /** Plain SQL for libraries that bring their own; several statements may stand in one text. */
  execute: (text: string, values?: unknown[]) => Promise<{ rows: unknown[] }>
  migrate: () => Promise<void>
  close: () => Promise<void>
}

/** Where the migrations and the functions of the database are. */
export interface SqlFolders {
  migrations: string
  functions: string
}

const options = { schema, casing: 'snake_case' } as const
const MIGRATION_LOCK = 7_205_431

export async function openDatabase(
  where: { url: string } | { folder: string },
  folders: SqlFolders,
): Promise<Database> {
  return 'url' in where ? openPostgres(where.url, folders) : openEmbedded(where.folder, folders)
}

async function openEmbedded(folder: string, folders: SqlFolders): Promise<Database> {
  const unlock = await lockFolder(folder)
  const client = await PGlite.create(folder, { extensions: embeddedExtensions })
  const opened = wrapEmbedded(client, folders)
  return {
    ...opened,
    close: async () => {
      await opened.close()
      await unlock()
    },
  }
}

/** What the embedded database can do besides; loading it costs 0.1 s. */
export const embeddedExtensions = { vector }

export function wrapEmbedded(client: PGlite, folders: SqlFolders): Database {
  const db = drizzleEmbedded(client, options)
  guardClient(client, ['query', 'exec', 'transaction'])
  return {
    db: watchTransactions(db),
    pool: null,
    execute: async (text, values) => {
      if (values && values.length > 0) return client.query(text, values)
      return (await client.exec(text)).at(-1) ?? { rows: [] }
    },
    migrate: async () => {
      await migrateEmbedded(db, { migrationsFolder: folders.migrations })
      await client.exec(await functionsIn(folders))
    },
    close: () => client.close(),
  }
}

function openPostgres(url: string, folders: SqlFolders): Database {
  const pool = new pg.Pool({ connectionString: url, max: 20, connectionTimeoutMillis: 10_000 })
  // An idle connection that breaks must not end the process; the next query takes another.
  pool.on('error', () => {})
  const db = drizzlePostgres(pool, options)
  guardClient(pool, ['query', 'connect'])
  return {
    db: watchTransactions(db),
    pool,
    execute: (text, values) => pool.query(text, values),
    migrate: async () => {
      const lock = new pg.Client({ connectionString: url })
      await lock.connect()
      try {
        await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
        await migratePostgres(db, { migrationsFolder: folders.migrations })
        await pool.query(await functionsIn(folders))
      } finally {
        await lock.end()
      }
    },
    close: () => pool.end(),
  }
}

/** Functions are replaced whole at every start: their history is in git, not in migrations. */
async function functionsIn({ functions }: SqlFolders): Promise<string> {
  const names = (await readdir(functions)).filter((name) => name.endsWith('.sql')).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(functions, name), 'utf8')))
  return texts.join('\n')
}
