import type { Database, DatabaseOptions, SqlFolders } from './client.ts'
import { openPostgres } from './postgres.ts'

export async function openDatabase(
  where: { url: string } | { folder: string },
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
