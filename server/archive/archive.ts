import * as z from 'zod/mini'
import type { Database } from '#server/db/client.ts'
import { storedKinds } from '#server/features/storage/kinds.ts'
import type { Storage } from '#server/storage/storage.ts'
import { copyObject, hashObject, type Place, readStoredLines, readText, storeLines, storeText } from './place.ts'
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
 * with the hash of each, written last. Archives of one place share their files, which never change once stored.
 */

const Written = z.object({ bytes: z.number(), sha256: z.string() })
const StoredTable = z.extend(Written, {
  name: z.string(),
  columns: z.array(z.string()),
  rows: z.number(),
  sum: z.string(),
})
const StoredFile = z.extend(Written, { key: z.string() })
type StoredFile = z.infer<typeof StoredFile>
const Manifest = z.object({
  format: z.literal(1),
  /** The moment that the rows show. */
  at: z.string(),
  build: z.string(),
  migrations: z.array(z.number()),
  tables: z.array(StoredTable),
  sequences: z.array(z.object({ name: z.string(), last: z.nullable(z.string()) })),
  files: z.extend(Written, { count: z.number(), missing: z.array(z.string()) }),
  hasSecret: z.boolean(),
})
export type Manifest = z.infer<typeof Manifest>

const [MANIFESTS, ROWS, LISTS, SECRETS] = ['manifests', 'rows', 'lists', 'secrets']
const AT_ONCE = 8

export interface ArchiveSource {
  database: Database
  storage: Storage
  build: string
  /** The secret of the data folder; null when the settings have it. */
  secret: string | null
}

type Say = (text: string) => void

/** Writes an archive and returns its name. Files that the place has are not copied again, so a repeated try goes on. */
export async function writeArchive(
  { database, storage, build, secret }: ArchiveSource,
  place: Place,
  say: Say,
  now = new Date(),
): Promise<string> {
  const name = nameOf(now)
  if ((await archivesIn(place.storage)).includes(name)) throw new Error(`Архив ${name} уже есть.`)
  const rows = await database.onConnection((connection) =>
    inSnapshot(connection, async () => {
      const keys: string[] = []
      for (const kind of storedKinds) for await (const batch of kind.keys(connection.db)) keys.push(...batch)
      const tables: z.infer<typeof StoredTable>[] = []
      for (const table of await readTables(connection.execute)) {
        let tally: Tally = { rows: 0, sum: 0n }
        const counted = async function* () {
          for await (const lines of readLines(connection.execute, table)) {
            tally = addLines(tally, lines)
            yield lines
          }
        }
        const written = await storeLines(place, rowsKey(name, table.name), counted())
        const columns = table.columns.map((column) => column.name)
        tables.push({ name: table.name, columns, rows: tally.rows, sum: String(tally.sum), ...written })
      }
      const [migrations, sequences] = [
        await readMigrations(connection.execute),
        await readSequences(connection.execute),
      ]
      return { keys, tables, migrations, sequences }
    }),
  )
  say(`Строк: ${sumOf(rows.tables.map((table) => table.rows))} в ${rows.tables.length} таблицах`)
  const files = await storeFiles(storage, place, name, rows.keys)
  say(`Файлов: ${files.count}${files.missing.length > 0 ? `, не найдено: ${files.missing.length}` : ''}`)
  if (secret) await storeText(place, `${SECRETS}/${name}`, secret)
  const { tables, migrations, sequences } = rows
  const manifest: Manifest = {
    format: 1,
    at: now.toISOString(),
    build,
    ...{ migrations, tables, sequences, files, hasSecret: secret !== null },
  }
  await storeText(place, `${MANIFESTS}/${name}`, `${JSON.stringify(manifest, null, 2)}\n`)
  return name
}

async function storeFiles(from: Storage, place: Place, name: string, keys: string[]): Promise<Manifest['files']> {
  const known = await knownFiles(place)
  const present = new Set<string>()
  for (const { prefix } of storedKinds) for await (const { key } of place.storage.list(prefix)) present.add(key)
  const missing: string[] = []
  const files: StoredFile[] = []
  await inParallel(keys, async (key) => {
    const written = present.has(key)
      ? (known.get(key) ?? (await hashObject(place.storage, key)))
      : await copyObject(from, place, key)
    if (written) files.push({ key, bytes: written.bytes, sha256: written.sha256 })
    else missing.push(key)
  })
  files.sort((a, b) => (a.key < b.key ? -1 : 1))
  const list = await storeLines(place, `${LISTS}/${name}`, inBatches(files.map((file) => JSON.stringify(file))))
  return { count: files.length, missing: missing.sort(), ...list }
}

/** Hashes from the newest archive of the place, so that its files need not be read again. */
async function knownFiles({ storage }: Place): Promise<Map<string, StoredFile>> {
  const newest = (await archivesIn(storage)).at(-1)
  if (!newest) return new Map()
  const files = await filesOf(storage, newest, await readManifest(storage, newest))
  return new Map(files.map((file) => [file.key, file]))
}

/** Names of the complete archives, oldest first. */
export async function archivesIn(storage: Storage): Promise<string[]> {
  const names: string[] = []
  for await (const { key } of storage.list(MANIFESTS)) names.push(key.slice(MANIFESTS.length + 1))
  return names.sort()
}

export async function readManifest(storage: Storage, name: string): Promise<Manifest> {
  const manifest = Manifest.safeParse(JSON.parse(await readText(storage, `${MANIFESTS}/${name}`)))
  if (!manifest.success) throw new Error(`Архив ${name} сделан незнакомой версией программы или повреждён.`)
  return manifest.data
}

/** The rows of an archive, for `loadRows`. A damaged file is noticed before anything is committed. */
export function rowsOfArchive(storage: Storage, name: string, { tables, sequences }: Manifest): RowSource {
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
  }
}

export async function filesOf(storage: Storage, name: string, { files }: Manifest): Promise<StoredFile[]> {
  const list: StoredFile[] = []
  for await (const lines of readStoredLines(storage, `${LISTS}/${name}`, files))
    for (const line of lines) list.push(StoredFile.parse(JSON.parse(line)))
  return list
}

/** Copies the files of an archive to a storage; those it has are left alone, so a repeated try goes on. */
export async function restoreFiles(from: Storage, to: Place, files: StoredFile[]): Promise<number> {
  const present = new Set<string>()
  for (const { prefix } of storedKinds) for await (const { key } of to.storage.list(prefix)) present.add(key)
  const absent = files.filter(({ key }) => !present.has(key))
  await inParallel(absent, async (file) => {
    if (!(await copyObject(from, to, file.key, file))) throw new Error(`В архиве нет файла ${file.key}.`)
  })
  return absent.length
}

/** The keys whose bytes are absent or differ. */
export async function checkFiles(storage: Storage, files: StoredFile[]): Promise<string[]> {
  const bad: string[] = []
  await inParallel(files, async ({ key, sha256 }) => {
    if ((await hashObject(storage, key))?.sha256 !== sha256) bad.push(key)
  })
  return bad.sort()
}

export const readSecret = (storage: Storage, name: string) => readText(storage, `${SECRETS}/${name}`)

/** Deletes all but the newest archives, and files that none of the rest has. Returns the names of the deleted. */
export async function pruneArchives({ storage }: Place, keep: number): Promise<string[]> {
  const names = await archivesIn(storage)
  const old = names.slice(0, Math.max(0, names.length - keep))
  if (old.length === 0) return []
  const needed = new Set<string>()
  for (const name of names.slice(old.length))
    for (const { key } of await filesOf(storage, name, await readManifest(storage, name))) needed.add(key)
  for (const name of old) {
    const { tables } = await readManifest(storage, name)
    // First: an archive without a manifest does not exist.
    await storage.delete(`${MANIFESTS}/${name}`)
    for (const table of tables) await storage.delete(rowsKey(name, table.name))
    for (const kind of [LISTS, SECRETS]) await storage.delete(`${kind}/${name}`)
  }
  for (const { prefix } of storedKinds)
    for await (const { key } of storage.list(prefix)) if (!needed.has(key)) await storage.delete(key)
  return old
}

const rowsKey = (name: string, table: string) => `${ROWS}/${name}-${table}`
const nameOf = (at: Date) => at.toISOString().replace(/[-:]|\.\d+/g, '')
const sumOf = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)

async function* inBatches(lines: string[], size = 1000): AsyncGenerator<string[]> {
  for (let at = 0; at < lines.length; at += size) yield lines.slice(at, at + size)
}

async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  const worker = async () => {
    for (const item of rest) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
