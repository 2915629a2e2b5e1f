import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import { type Database, openDatabase } from '#server/db/client.ts'
import { copyFromHolder } from '#server/db/folder-lock.ts'
import { sqlFolders } from '#server/db/migrate.ts'
import { longRunning } from '#server/db/transactions.ts'
import { verifyChain } from '#server/features/audit/audit.ts'
import { reconcile, UNFINISHED } from '#server/features/billing/invariants.ts'
import type { Storage } from '#server/storage/storage.ts'
import { filesOf, readManifest, readSecret, restoreFiles, rowsOfArchive } from './archive.ts'
import type { Place } from './place.ts'
import {
  addLines,
  inSnapshot,
  loadRows,
  readLines,
  readMigrations,
  readSequences,
  readTables,
  type Tally,
} from './rows.ts'

type Say = (text: string) => void

/** Opens the database of the settings for reading. A running server with an embedded one gives a copy of it. */
export async function openSource({ database: where }: Pick<Config, 'database'>): Promise<Database> {
  const copy = where.folder ? await copyFromHolder(where.folder) : null
  if (!copy) return openDatabase(where, sqlFolders())
  const database = await openDatabase({ folder: copy }, sqlFolders())
  return {
    ...database,
    close: async () => {
      await database.close()
      await rm(copy, { recursive: true, force: true })
    },
  }
}

/** Loads the rows of an archive into an empty database, then brings it to the schema of this build. */
export async function restoreRows(target: Database, storage: Storage, name: string, say: Say): Promise<void> {
  const manifest = await readManifest(storage, name)
  const last = manifest.migrations.at(-1) ?? 0
  await target.migrateUntil(last)
  const applied = (await target.onConnection(({ execute }) => readMigrations(execute))).at(-1) ?? 0
  if (applied < last)
    throw new Error(`Архив сделан более новой сборкой (${manifest.build}). Обновите программу и повторите.`)
  if (applied > last)
    throw new Error('База уже обновлена дальше, чем архив. Архив загружается только в новую пустую базу.')
  await target.onConnection((connection) => loadRows(connection, rowsOfArchive(storage, name, manifest)))
  await target.migrate()
  say(`Строк загружено: ${manifest.tables.reduce((sum, { rows }) => sum + rows, 0)}`)
}

/** Rows, files and the secret of an archive become this installation. */
export async function restoreAll(
  { target, files, dataDir }: { target: Database; files: Place; dataDir: string | null },
  storage: Storage,
  name: string,
  say: Say,
): Promise<void> {
  await restoreRows(target, storage, name, say)
  const manifest = await readManifest(storage, name)
  const copied = await restoreFiles(storage, files, await filesOf(storage, name, manifest))
  say(`Файлов скопировано: ${copied} из ${manifest.files.count}`)
  if (dataDir && manifest.hasSecret) {
    await writeFile(join(dataDir, 'auth-secret'), await readSecret(storage, name), { flag: 'wx', mode: 0o600 }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
        say('Секрет в папке данных уже есть и оставлен прежним.')
      },
    )
  }
}

/** Copies an embedded database into an empty one on Postgres, in one transaction. Returns the number of rows. */
export async function moveRows(source: Database, target: Database, say: Say): Promise<number> {
  await source.migrate()
  return source.onConnection((from) =>
    inSnapshot(from, async () => {
      const tables = await readTables(from.execute)
      const tallies = new Map<string, Tally>()
      const tallyOf = (table: string): Tally => tallies.get(table) ?? { rows: 0, sum: 0n }
      const lines = async function* (name: string) {
        const table = tables.find((each) => each.name === name)
        if (!table) return
        for await (const batch of readLines(from.execute, table)) {
          tallies.set(name, addLines(tallyOf(name), batch))
          yield batch
        }
      }
      await target.migrateUntil((await readMigrations(from.execute)).at(-1) ?? 0)
      const rows = {
        tables: tables.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) })),
        sequences: await readSequences(from.execute),
        lines,
        tally: tallyOf,
      }
      await target.onConnection((to) => loadRows(to, rows))
      await target.migrate()
      const count = [...tallies.values()].reduce((sum, tally) => sum + tally.rows, 0)
      say(`Строк перенесено: ${count} в ${tables.length} таблицах, суммы сошлись`)
      return count
    }),
  )
}

/** The ledger and the audit log; work that was running at that moment is ended by the next start. */
export async function checkDatabase(database: Database, say: Say): Promise<boolean> {
  const db = longRunning(database.db)
  const problems = (await reconcile(db)).filter(({ rule }) => rule !== UNFINISHED)
  for (const { rule, userId, details } of problems) say(`✗ ${rule}\n  ${userId}: ${details}`)
  if (problems.length === 0) say('Учёт сходится.')
  const chain = await verifyChain(db)
  say(chain.broken ? `✗ Журнал действий повреждён на записи № ${chain.broken.id}` : 'Журнал действий цел.')
  return problems.length === 0 && !chain.broken
}
