import { createHash } from 'node:crypto'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/client.ts'
import { copyFromHolder } from '#server/db/folder-lock.ts'
import { baselineOf, sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { longRunning } from '#server/db/transactions.ts'
import { verifyChain } from '#server/features/audit/audit.ts'
import { HOLD_WITHOUT_WORK, reconcile } from '#server/features/billing/invariants.ts'
import type { Storage } from '#server/storage/storage.ts'
import {
  archiveMark,
  filesOf,
  type Manifest,
  type Print,
  readManifest,
  readSecret,
  restoreFiles,
  rowsOfArchive,
} from './archive.ts'
import type { Destination } from './destination.ts'
import {
  addLines,
  inSnapshot,
  loadRows,
  noteFilesDone,
  readLines,
  readLoadedArchive,
  readMigrations,
  readSequences,
  readTables,
  type Tally,
} from './rows.ts'

export type ArchiveConfig = Pick<Config, 'database' | 'dataDir' | 's3' | 'backup' | 'authSecret'>

/** Opens the configured database for reading. A running server with an embedded database gives a copy of it. */
export async function openSource({ database: where }: ArchiveConfig): Promise<Database> {
  if (!where.folder) return openDatabase(where, sqlFolders())
  const copy = await copyFromHolder(where.folder)
  try {
    // Otherwise a new database would be created there.
    await assertDatabaseExists(copy?.path ?? where.folder)
    const database = await openDatabase({ folder: copy?.path ?? where.folder }, sqlFolders())
    if (!copy) return database
    const close = async () => {
      await database.close()
      await rm(copy.path, { recursive: true, force: true })
      copy.giveBack()
    }
    return { ...database, close }
  } catch (error) {
    copy?.giveBack()
    throw error
  }
}

export async function assertDatabaseExists(folder: string): Promise<void> {
  if (!(await stat(join(folder, 'PG_VERSION')).catch(() => null)))
    throw new Error(`В папке ${folder} нет базы. Проверьте DATA_DIR и DATABASE_URL.`)
}

/** Loads the rows of an archive into an empty database, then brings it to the schema of this build. */
export async function restoreRows(target: Database, storage: Storage, name: string, say: Print): Promise<void> {
  const manifest = await readManifest(storage, name)
  if (manifest.migrations[0] !== baselineOf(sqlFolders().migrations))
    throw new Error('Архив сделан сборкой, которая не выпускалась. Загружает его только она сама.')
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

export interface RestoreTarget {
  target: Database
  files: Destination
  /** Where the secret goes. */
  dataDir: string
  /** The secret of the settings; null when the data folder has it. */
  authSecret: string | null
}

/** An interrupted restore can be continued. */
export async function restoreAll(to: RestoreTarget, storage: Storage, name: string, say: Print): Promise<void> {
  const { target, files } = to
  const manifest = await readManifest(storage, name)
  const loaded = await target.onConnection(({ execute }) => readLoadedArchive(execute))
  if (loaded?.mark === archiveMark(name, manifest) && !loaded.isDone) {
    say('Строки этого архива здесь уже есть, продолжаю с файлов.')
    await target.migrate()
  } else await restoreRows(target, storage, name, say)
  const copied = await restoreFiles(storage, files, filesOf(storage, name, manifest))
  say(`Файлов скопировано: ${copied} из ${manifest.files.count}`)
  await restoreSecret(to, storage, name, manifest, say)
  await target.onConnection(({ execute }) => noteFilesDone(execute))
}

const OTHER_SECRET =
  'С другим секретом всем придётся войти заново, а промокоды и сохранённые ключи перестанут действовать.'

async function restoreSecret(
  { dataDir, authSecret }: RestoreTarget,
  storage: Storage,
  name: string,
  { secret }: Manifest,
  say: Print,
): Promise<void> {
  if (!secret) {
    if (!authSecret) say(`Внимание: секрета в архиве нет. Задайте прежний AUTH_SECRET. ${OTHER_SECRET}`)
    return
  }
  const [text, path] = [await readSecret(storage, name, secret), join(dataDir, 'auth-secret')]
  if (authSecret) {
    if (authSecret !== text) say(`Внимание: AUTH_SECRET не тот, что в архиве (secrets/${name}). ${OTHER_SECRET}`)
    return
  }
  await writeFile(path, text, { flag: 'wx', mode: 0o600 }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    if ((await readFile(path, 'utf8')) === text) return
    say(`Внимание: в ${path} уже есть другой секрет, он оставлен. Секрет архива: secrets/${name}. ${OTHER_SECRET}`)
  })
}

/**
 * Copies an embedded database into an empty one on Postgres, in one transaction. After an interruption between the rows
 * and the files it only makes sure that the rows are the same.
 */
export async function moveRows(source: Database, target: Database, say: Print): Promise<void> {
  await source.onConnection((from) =>
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
      const mark = () => {
        const counted = tables.map(({ name }) => [name, tallyOf(name).rows, String(tallyOf(name).sum)])
        return `move ${createHash('sha256').update(JSON.stringify(counted)).digest('hex')}`
      }
      const loaded = await target.onConnection(({ execute }) => readLoadedArchive(execute))
      if (loaded?.mark.startsWith('move ') && !loaded.isDone) {
        for (const { name } of tables) for await (const _ of lines(name));
        if (mark() !== loaded.mark)
          throw new Error('Сюда уже переносили эту базу, но с тех пор она изменилась. Создайте пустую и повторите.')
        await target.migrate()
        return say('Строки уже перенесены, продолжаю.')
      }
      await target.migrateUntil((await readMigrations(from.execute)).at(-1) ?? 0)
      const rows = {
        tables: tables.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) })),
        sequences: await readSequences(from.execute),
        lines,
        tally: tallyOf,
        mark,
      }
      await target.onConnection((to) => loadRows(to, rows))
      await target.migrate()
      const count = [...tallies.values()].reduce((sum, tally) => sum + tally.rows, 0)
      say(`Строк перенесено: ${count} в ${tables.length} таблицах, суммы сошлись`)
    }),
  )
}

/** Checks the ledger and the audit log, but not running work, which the next start of a server ends. */
export async function checkDatabase(database: Database, say: Print): Promise<boolean> {
  const db = longRunning(database.db)
  const problems = (await reconcile(db)).filter(({ rule }) => rule !== HOLD_WITHOUT_WORK)
  for (const { rule, userId, details } of problems) say(`✗ ${rule}\n  ${userId}: ${details}`)
  if (problems.length === 0) say('Учёт сходится.')
  const chain = await verifyChain(db)
  say(chain.broken ? `✗ Журнал действий повреждён на записи № ${chain.broken.id}` : 'Журнал действий цел.')
  return problems.length === 0 && !chain.broken
}
