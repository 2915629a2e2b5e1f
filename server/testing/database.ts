import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { inject } from 'vitest'
import { type Database, openDatabase, wrapEmbedded } from '#server/db/client.ts'
import { sqlFolders } from '#server/db/sql-folders.ts'
import { administer, databaseUrl } from './snapshot.ts'

let made = 0

/** An empty, migrated, seeded database of the test file's own: embedded, or real Postgres by TEST_DATABASE_URL. */
export async function openTestDatabase(): Promise<Database & { url: string | null }> {
  const snapshot = inject('snapshot')
  if ('file' in snapshot) {
    const client = await PGlite.create({ loadDataDir: new Blob([await readFile(snapshot.file)]) })
    return { ...wrapEmbedded(client, sqlFolders()), url: null }
  }
  made += 1
  const name = `symbol_test_${process.pid}_${made}`
  await administer(snapshot.url, `create database ${name} template ${snapshot.template}`)
  const url = databaseUrl(snapshot.url, name)
  const database = await openDatabase({ url }, sqlFolders())
  return {
    ...database,
    url,
    close: async () => {
      await database.close()
      await administer(snapshot.url, `drop database ${name}`)
    },
  }
}
