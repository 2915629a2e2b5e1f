import { type PGlite, types } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import type { Database, SqlFolders } from './client.ts'
import { applyMigrations, isOfNewerBuild, isUpToDate, migrateDatabase, missingUnits } from './migrate.ts'
import * as schema from './schema.ts'
import { guardClient, watchTransactions } from './transactions.ts'

export function wrapEmbedded(client: PGlite, folders: SqlFolders): Database {
  keepUsedParsers(client)
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
    migrate: async () => {
      if (!(await isUpToDate(execute, folders))) await migrateDatabase(execute, folders)
    },
    missing: () => missingUnits(execute, folders),
    isNewer: () => isOfNewerBuild(execute, folders),
    exclusively: (work) => work(),
    onConnection: (work) => work({ db, execute }),
    migrateUntil: (last) => applyMigrations(execute, folders, { last }),
    close: () => client.close(),
  }
}

/** Type ids of the arrays that we use; PGlite also has a parser for the array of every other type and table. */
const ARRAYS = [
  199, 1000, 1001, 1003, 1005, 1007, 1009, 1015, 1016, 1021, 1022, 1028, 1115, 1182, 1185, 1231, 2951, 3807,
]

/** Every statement of Drizzle copies all parsers, and copying four hundred took half the time of a short statement. */
function keepUsedParsers({ parsers }: PGlite): void {
  const used = new Set([...Object.values(types).map(Number), ...ARRAYS])
  for (const id of Object.keys(parsers)) if (!used.has(Number(id))) Reflect.deleteProperty(parsers, id)
}
