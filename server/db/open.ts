import { StartError } from '#server/lib/errors.ts'
import type { Database, DatabaseOptions, SqlFolders } from './client.ts'
import { sqlFolders } from './migrate.ts'
import { openPostgres } from './postgres.ts'

type Where = { url: string } | { folder: string }

export async function openDatabase(
  where: Where,
  folders: SqlFolders,
  settings: DatabaseOptions = {},
): Promise<Database> {
  return 'url' in where ? openPostgres(where.url, folders, settings) : openEmbedded(where.folder, folders)
}

async function openEmbedded(folder: string, folders: SqlFolders): Promise<Database> {
  // Loaded only for the embedded database: with Postgres they would waste 15 MB of memory.
  const [{ openFolder }, { wrapEmbedded }] = await Promise.all([import('./embedded.ts'), import('./wrap-embedded.ts')])
  const { client, close, explain } = await openFolder(folder)
  const opened = wrapEmbedded(client, folders)
  return { ...opened, migrate: () => opened.migrate().catch(explain), close }
}

const NAMED = 5

/** For commands that read what servers write: an older schema is refused, of a newer one people are told. */
export async function openMigrated(where: Where, say: (text: string) => void): Promise<Database> {
  const database = await openDatabase(where, sqlFolders())
  try {
    const missing = await database.missing()
    if (missing.length > 0) throw new StartError(olderSchema(missing))
    if (await database.isNewer()) say(NEWER_SCHEMA)
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

const olderSchema = (missing: string[]) => {
  const rest = missing.length > NAMED ? ` и ещё ${missing.length - NAMED}` : ''
  return (
    `База не готова для этой сборки, не хватает: ${missing.slice(0, NAMED).join(', ')}${rest}. ` +
    'Выполните npm run migrate и повторите команду.'
  )
}

const NEWER_SCHEMA =
  'База новее этой сборки: npm run migrate выполнила более новая. Надёжнее повторить эту команду в новой сборке.'
