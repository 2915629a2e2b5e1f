import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Connection, Database } from '#server/db/client.ts'
import { storedKinds } from '#server/features/index.ts'
import type { Storage } from '#server/storage/storage.ts'
import {
  copyObject,
  type Destination,
  hashObject,
  readStoredLines,
  readText,
  storeLines,
  storeText,
  type WrittenBytes,
} from './destination.ts'
import {
  addLines,
  inSnapshot,
  type RowSource,
  readLines,
  readMigrations,
  readSequences,
  readTables,
  type Tally,
} from './rows.ts'

/**
 * An archive is everything an installation has: rows as compressed lines, files under their own keys, and a manifest
 * with the hash of each, written last. Archives of one destination share their files, which never change once stored.
 */

const WrittenFields = z.object({ bytes: z.number(), sha256: z.string() })
const StoredTable = z.extend(WrittenFields, {
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number(),
  sum: z.string(),
})
const StoredFile = z.extend(WrittenFields, { key: z.string() })
type StoredFile = z.infer<typeof StoredFile>
const Manifest = z.object({
  format: z.literal(1),
  /** The time of the snapshot of the rows. */
  at: z.string(),
  build: z.string(),
  migrations: z.array(z.number()),
  tables: z.array(StoredTable),
  sequences: z.array(z.object({ name: z.string(), last: z.nullable(z.string()) })),
  /** `missingKeys` has only the first of the missing files. */
  files: z.extend(WrittenFields, { count: z.number(), missing: z.number(), missingKeys: z.array(z.string()) }),
  /** Size and hash of the secret in the data folder; null when the settings had it. */
  secret: z.nullable(WrittenFields),
})
export type Manifest = z.infer<typeof Manifest>

const [MANIFESTS, ROWS, LISTS, SECRETS] = ['manifests', 'rows', 'lists', 'secrets'] as const
const AT_ONCE = 8
const BATCH = 500
const MAX_MISSING_LISTED = 20
/** More missing files mean a wrong storage, not files that users deleted meanwhile. */
const MAX_MISSING_FILES = 10
const MAX_MISSING_SHARE = 0.01

export interface ArchiveSource {
  database: Database
  storage: Storage
  build: string
  /** The secret of the data folder; null when the settings have it. */
  secret: string | null
}

export type Print = (text: string) => void

/** Returns the name of the archive. Files already in the destination are not copied again, so a retry continues. */
export async function writeArchive(
  { database, storage, build, secret }: ArchiveSource,
  destination: Destination,
  say: Print,
  now = new Date(),
): Promise<string> {
  const name = nameOf(now)
  if ((await archivesIn(destination.storage)).includes(name)) throw new Error(`Архив ${name} уже есть.`)
  const rows = await database.onConnection((connection) =>
    inSnapshot(connection, async () => {
      await assertHasSchema(connection)
      await claimDestination(connection, destination.storage)
      return { keys: await keysOf(connection), ...(await storeRows(connection, destination, name)) }
    }),
  )
  say(`Строк: ${sumOf(rows.tables.map((table) => table.rows))} в ${rows.tables.length} таблицах`)
  const files = await storeFiles(storage, destination, name, rows.keys)
  say(`Файлов: ${files.count}${files.missing > 0 ? `, не найдено: ${files.missing}` : ''}`)
  const { tables, migrations, sequences } = rows
  const manifest: Manifest = {
    format: 1,
    at: now.toISOString(),
    build,
    ...{ migrations, tables, sequences, files },
    secret: secret ? await storeText(destination, `${SECRETS}/${name}`, secret) : null,
  }
  await storeText(destination, `${MANIFESTS}/${name}`, `${JSON.stringify(manifest, null, 2)}\n`)
  return name
}

async function assertHasSchema({ execute }: Connection): Promise<void> {
  const { rows } = await execute(`select to_regclass('drizzle.__drizzle_migrations') is not null as is_there`)
  if (!(rows[0] as { is_there: boolean }).is_there)
    throw new Error('В этой базе нет данных «Символа». Проверьте DATABASE_URL и DATA_DIR.')
}

const DestinationOwner = z.object({ archivesOf: z.string() })

/** Called before anything is deleted there. */
export async function assertNotFileStorage(destination: Storage): Promise<void> {
  const written = await destination.readOwner()
  const hasOwner = written !== null && DestinationOwner.safeParse(parsed(written)).success
  if (!hasOwner && (written !== null || (await storedFileKeys(destination)).size > 0))
    throw new Error('Это хранилище файлов, а не место для копий. Задайте для копий другое место.')
}

/** Archives of two installations in one destination would delete each other, and the newest could be the other's. */
async function claimDestination({ execute }: Connection, destination: Storage): Promise<void> {
  const { rows } = await execute(`select to_regclass('public.installation') is not null as is_there`)
  if (!(rows[0] as { is_there: boolean }).is_there) return
  const [own] = z.array(z.object({ id: z.string() })).parse((await execute('select id from installation')).rows)
  if (!own) return
  await assertNotFileStorage(destination)
  const written = await destination.readOwner()
  if (written === null) return destination.writeOwner(JSON.stringify({ archivesOf: own.id }))
  if (DestinationOwner.parse(parsed(written)).archivesOf !== own.id)
    throw new Error('Здесь лежат копии другой установки. Задайте для этой другую папку или корзину.')
}

async function keysOf({ db }: Connection): Promise<string[]> {
  const keys: string[] = []
  for (const kind of storedKinds) for await (const batch of kind.keys(db)) for (const key of batch) keys.push(key)
  return keys
}

async function storeRows({ execute }: Connection, destination: Destination, name: string) {
  const tables: z.infer<typeof StoredTable>[] = []
  for (const table of await readTables(execute)) {
    let tally: Tally = { rows: 0, sum: 0n }
    const counted = async function* () {
      for await (const lines of readLines(execute, table)) {
        tally = addLines(tally, lines)
        yield lines
      }
    }
    const written = await storeLines(destination, rowsKey(name, table.name), counted())
    const columns = table.columns.map((column) => column.name)
    tables.push({ name: table.name, columns, rows: tally.rows, sum: String(tally.sum), ...written })
  }
  return { tables, migrations: await readMigrations(execute), sequences: await readSequences(execute) }
}

/** The list of files is streamed, so that only the keys and hashes already in the destination are held in memory. */
async function storeFiles(
  from: Storage,
  destination: Destination,
  name: string,
  keys: string[],
): Promise<Manifest['files']> {
  const known = await knownFiles(destination)
  let [count, missing]: [number, string[]] = [0, []]
  const lines = async function* () {
    for (let at = 0; at < keys.length; at += BATCH) {
      const batch: string[] = []
      await inParallel(keys.slice(at, at + BATCH), async (key) => {
        const written = known.has(key)
          ? (known.get(key) ?? (await hashObject(destination.storage, key)))
          : await copyObject(from, destination, key)
        if (written) batch.push(JSON.stringify({ key, bytes: written.bytes, sha256: written.sha256 }))
        else missing.push(key)
      })
      count += batch.length
      yield batch
    }
  }
  const list = await storeLines(destination, `${LISTS}/${name}`, lines())
  missing = missing.sort()
  return { count, missing: missing.length, missingKeys: missing.slice(0, MAX_MISSING_LISTED), ...list }
}

export function lacksTooManyFiles({ files: { count, missing } }: Manifest): boolean {
  return missing > MAX_MISSING_FILES && missing > (count + missing) * MAX_MISSING_SHARE
}

/** The files of the destination, with the hashes that its newest archive has: those need not be read again. */
async function knownFiles({ storage }: Destination): Promise<Map<string, WrittenBytes | null>> {
  const known = new Map<string, WrittenBytes | null>()
  for (const { prefix } of storedKinds) for await (const { key } of storage.list(prefix)) known.set(key, null)
  const newest = (await archivesIn(storage)).at(-1)
  if (!newest || known.size === 0) return known
  for await (const files of filesOf(storage, newest, await readManifest(storage, newest)))
    for (const { key, bytes, sha256 } of files) if (known.has(key)) known.set(key, { bytes, sha256 })
  return known
}

/** Names of the complete archives, oldest first. */
export async function archivesIn(storage: Storage): Promise<string[]> {
  const names: string[] = []
  for await (const { key } of storage.list(MANIFESTS)) names.push(key.slice(MANIFESTS.length + 1))
  return names.sort()
}

export async function readManifest(storage: Storage, name: string): Promise<Manifest> {
  const manifest = Manifest.safeParse(parsed(await readText(storage, `${MANIFESTS}/${name}`)))
  if (!manifest.success) throw new Error(`Архив ${name} сделан незнакомой версией программы или повреждён.`)
  return manifest.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Equal only for the same archive. */
export const archiveMark = (name: string, manifest: Manifest) =>
  `${name} ${createHash('sha256').update(JSON.stringify(manifest)).digest('hex')}`

/** A damaged file is noticed before anything is committed. */
export function rowsOfArchive(storage: Storage, name: string, manifest: Manifest): RowSource {
  const { tables, sequences } = manifest
  const tableOf = (table: string) => {
    const stored = tables.find((each) => each.name === table)
    if (!stored) throw new Error(`В архиве нет таблицы ${table}.`)
    return stored
  }
  return {
    tables,
    sequences,
    lines: (table) => readStoredLines(storage, rowsKey(name, table), tableOf(table)),
    tally: (table) => ({ rows: tableOf(table).rows, sum: BigInt(tableOf(table).sum) }),
    mark: () => archiveMark(name, manifest),
  }
}

/** In batches, because there may be a million files. */
export async function* filesOf(storage: Storage, name: string, { files }: Manifest): AsyncGenerator<StoredFile[]> {
  for await (const lines of readStoredLines(storage, `${LISTS}/${name}`, files))
    yield lines.map((line) => StoredFile.parse(JSON.parse(line)))
}

/** Existing files are skipped, so a retry continues. */
export async function restoreFiles(
  from: Storage,
  to: Destination,
  files: AsyncIterable<StoredFile[]>,
): Promise<number> {
  const present = await storedFileKeys(to.storage)
  let copied = 0
  for await (const batch of files)
    await inParallel(batch, async (file) => {
      if (present.has(file.key)) return
      if (!(await copyObject(from, to, file.key, file))) throw new Error(`В архиве нет файла ${file.key}.`)
      copied += 1
    })
  return copied
}

export async function storedFileKeys(storage: Storage): Promise<Set<string>> {
  const present = new Set<string>()
  for (const { prefix } of storedKinds) for await (const { key } of storage.list(prefix)) present.add(key)
  return present
}

/** The keys whose bytes are absent or differ. */
export async function checkFiles(storage: Storage, files: AsyncIterable<StoredFile[]>): Promise<string[]> {
  const bad: string[] = []
  for await (const batch of files)
    await inParallel(batch, async ({ key, sha256 }) => {
      if ((await hashObject(storage, key))?.sha256 !== sha256) bad.push(key)
    })
  return bad.sort()
}

export const readSecret = (storage: Storage, name: string, expected: WrittenBytes) =>
  readText(storage, `${SECRETS}/${name}`, expected)

/**
 * Deletes all but the newest archives, files that no remaining archive has, and leftovers of killed commands. Returns
 * the names of the deleted archives. Call it inside `withDestinationLock`.
 */
export async function pruneArchives({ storage }: Destination, keep: number): Promise<string[]> {
  const names = await archivesIn(storage)
  const old = names.slice(0, Math.max(0, names.length - keep))
  const needed = new Set<string>()
  for (const name of names.slice(old.length))
    for await (const files of filesOf(storage, name, await readManifest(storage, name)))
      for (const { key } of files) needed.add(key)
  // Manifests first: an archive without one does not exist.
  for (const name of old) await storage.delete(`${MANIFESTS}/${name}`)
  await removeUnfinished(storage)
  for (const { prefix } of storedKinds)
    for await (const { key } of storage.list(prefix)) if (!needed.has(key)) await storage.delete(key)
  return old
}

/** Deletes the rows, lists and secrets of archives that have no manifest. Files stay for the next try. */
export async function removeUnfinished(storage: Storage): Promise<void> {
  const names = new Set(await archivesIn(storage))
  for (const prefix of [ROWS, LISTS, SECRETS]) {
    for await (const { key } of storage.list(prefix)) {
      const name = key.slice(prefix.length + 1).split('-')[0] ?? ''
      if (!names.has(name)) await storage.delete(key)
    }
  }
}

const rowsKey = (name: string, table: string) => `${ROWS}/${name}-${table}`
const nameOf = (at: Date) => at.toISOString().replace(/[-:]|\.\d+/g, '')
const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)

/** After an error no further item is started; the error is thrown when the running ones have ended. */
export async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  let failed: { error: unknown } | null = null
  const worker = async () => {
    for (const item of rest) {
      if (failed) return
      await work(item).catch((error: unknown) => {
        failed ??= { error }
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (failed) throw (failed as { error: unknown }).error
}
