import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { inject } from 'vitest'
import type { Database } from '#server/db/client.ts'
import { embeddedExtensions } from '#server/db/embedded.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { wrapEmbedded } from '#server/db/wrap-embedded.ts'
import { seedModels } from '#server/features/models/start-models.ts'
import { closeAfterTests } from './close-after-tests.ts'
import { administer, databaseUrl } from './snapshot.ts'

export type TestDatabase = Database & { url: string | null }

/** Embedded databases of finished test files of this worker: emptying one is faster than opening another. */
const idle: Database[] = []
let made = 0

const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * The embedded database sets timers by the clock. After a test has moved the clock back, one of them is weeks away: too
 * long for Node, which would fire it at once, again and again until the end of the run.
 */
function capDatabaseTimers(): void {
  const set = globalThis.setTimeout
  const capped = (action: () => void, ms = 0, ...rest: []) => {
    if (ms <= MAX_TIMER_MS || !new Error().stack?.includes('pglite')) return set(action, ms, ...rest)
    return set(action, MAX_TIMER_MS).unref()
  }
  globalThis.setTimeout = Object.assign(capped, set)
}
capDatabaseTimers()

/** The database of a test file, closed after its tests. */
export const testDatabase = () => closeAfterTests(openTestDatabase())

/** An empty, migrated, seeded database: embedded, or Postgres by TEST_DATABASE_URL. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const snapshot = inject('snapshot')
  return 'file' in snapshot ? openIdle(snapshot.file) : openCopy(snapshot.url, snapshot.template)
}

async function openIdle(file: string): Promise<TestDatabase> {
  const database = idle.pop() ?? (await openEmbedded(file))
  return {
    ...database,
    url: null,
    close: async () => {
      await emptyDatabase(database)
      idle.push(database)
    },
  }
}

async function openEmbedded(file: string): Promise<Database> {
  const client = await PGlite.create({ extensions: embeddedExtensions, loadDataDir: new Blob([await readFile(file)]) })
  const database = wrapEmbedded(client, sqlFolders())
  await seedModels(database.db)
  return database
}

/** Deletes rows only from used tables: truncating every table creates new files for each and is five times as slow. */
const EMPTY = `do $$
declare item record; has_rows boolean;
begin
  for item in select format('%I', tablename) as name from pg_tables where schemaname = 'public' loop
    execute 'select exists (select from ' || item.name || ')' into has_rows;
    if has_rows then execute 'delete from ' || item.name; end if;
  end loop;
  for item in select format('%I', sequencename) as name from pg_sequences
    where schemaname = 'public' and last_value is not null loop
    execute 'alter sequence ' || item.name || ' restart';
  end loop;
end $$`

async function emptyDatabase({ db, execute }: Database): Promise<void> {
  await execute('drop schema if exists jobs cascade')
  // As a replica, because a trigger protects the audit log.
  await execute(`set session_replication_role = replica; ${EMPTY}; set session_replication_role = origin`)
  await seedModels(db)
}

async function openCopy(server: string, template: string): Promise<TestDatabase> {
  made += 1
  const name = `symbol_test_${process.pid}_${made}`
  await administer(server, `create database ${name} template ${template}`)
  const url = databaseUrl(server, name)
  const database = await openDatabase({ url }, sqlFolders())
  return {
    ...database,
    url,
    close: async () => {
      await database.close()
      await administer(server, `drop database ${name}`)
    },
  }
}
