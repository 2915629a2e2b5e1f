import type { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import type { Database, SqlFolders } from './client.ts'
import { applyMigrations, migrateDatabase, missingParts } from './migrate.ts'
import * as schema from './schema.ts'
import { guardClient, watchTransactions } from './transactions.ts'

/** The embedded database as the rest of the server uses it. */
export function wrapEmbedded(client: PGlite, folders: SqlFolders): Database {
  const db = drizzle(client, { schema, casing: 'snake_case' })
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
