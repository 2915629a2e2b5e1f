import { access, constants, cp, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { DISK_FULL_AT_START, isDiskFull, StartError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { isHeld, LOCK_FOLDER, lockFolder } from './folder-lock.ts'

/** Loading takes 0.1 s. */
export const embeddedExtensions = { vector }

/** The major version of Postgres inside PGlite; a folder of another version cannot be read. */
const MAJOR = '18'
/** A new database is created here and renamed when it is complete. */
const NEW_DATABASE_FOLDER = 'first-start'
const COMPLETE_DATABASE_FOLDER = 'first-start-done'
const CONTROL_BYTES = 8192
const WAL_BYTES = 16 * 1024 * 1024
/** Files and folders that every complete database has. */
const PARTS = ['PG_VERSION', 'base', 'global/pg_control', 'pg_multixact', 'pg_wal', 'pg_xact', 'postgresql.conf']

export interface EmbeddedFolder {
  client: PGlite
  close: () => Promise<void>
  /** For `catch`: throws a StartError for known problems, otherwise the error itself. */
  explain: (error: unknown) => never
}

/** Opens the database in a folder for this process alone. Never creates a database over existing files. */
export async function openFolder(folder: string): Promise<EmbeddedFolder> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(throwExplained(folder))
  let copying: ((unneeded: AbortSignal) => Promise<string>) | null = null
  const notYet = () => Promise.reject(new Error('сервер ещё запускается, повторите через минуту'))
  const unlock = await lockFolder(folder, (unneeded) => (copying ?? notYet)(unneeded)).catch(throwExplained(folder))
  try {
    await removeCopies(folder)
    await finishFirstStart(folder)
    if ((await contentOf(folder)).length === 0) await makeDatabase(folder)
    await checkWhole(folder)
    const client = await PGlite.create(folder, { extensions: embeddedExtensions })
    const close = async () => {
      await client.close().finally(unlock)
    }
    await checkRelations(client, folder).catch(async (error: unknown) => {
      await client.close()
      throw error
    })
    copying = (unneeded) => copyOpenDatabase(client, folder, unneeded)
    return { client, close, explain: throwExplained(folder) }
  } catch (error) {
    await unlock()
    return throwExplained(folder)(error)
  }
}

const COPY_MARK = '.copy-'
const RELEASE_TRIES = 5
const RELEASE_MS = 500
/** Copies whose requesting process is still connected. */
const copiesInUse = new Set<string>()

/**
 * Copies an open database to a folder beside it, until `unneeded` fires. All other statements wait for the transaction,
 * so no file changes meanwhile; when the copy is opened, it recovers as after a crash.
 */
async function copyOpenDatabase(client: PGlite, folder: string, unneeded: AbortSignal): Promise<string> {
  const copy = `${folder}${COPY_MARK}${newId()}`
  const remove = async () => {
    copiesInUse.delete(copy)
    // A command may outlive the server and then removes its copy itself. The lock of a killed one may end a bit later.
    for (let tries = 0; tries < RELEASE_TRIES; tries += 1) {
      if (!(await isHeld(copy))) return rm(copy, { recursive: true, force: true })
      await sleep(RELEASE_MS, undefined, { ref: false })
    }
  }
  copiesInUse.add(copy)
  try {
    await removeCopies(folder)
    await client.exec('checkpoint')
    await client.transaction(async () => {
      const filter = (path: string) => !unneeded.aborted && path !== join(folder, LOCK_FOLDER)
      await cp(folder, copy, { recursive: true, mode: constants.COPYFILE_FICLONE, filter })
    })
    unneeded.throwIfAborted()
  } catch (error) {
    await remove().catch(() => {})
    throw isDiskFull(error) ? new Error('на диске нет места для копии', { cause: error }) : error
  }
  unneeded.addEventListener('abort', () => void remove().catch(() => {}), { once: true })
  return copy
}

/** Removes the copies of a killed server, except those that a command has open. */
async function removeCopies(folder: string): Promise<void> {
  const parent = dirname(folder)
  const copies = (await readdir(parent).catch(() => [] as string[])).filter((name) =>
    name.startsWith(`${basename(folder)}${COPY_MARK}`),
  )
  for (const path of copies.map((name) => join(parent, name)))
    if (!copiesInUse.has(path) && !(await isHeld(path))) await rm(path, { recursive: true, force: true })
}

const contentOf = async (folder: string) => (await readdir(folder)).filter((name) => name !== LOCK_FOLDER)

async function makeDatabase(folder: string): Promise<void> {
  const made = await PGlite.create(join(folder, NEW_DATABASE_FOLDER))
  await made.close()
  await rename(join(folder, NEW_DATABASE_FOLDER), join(folder, COMPLETE_DATABASE_FOLDER))
  await finishFirstStart(folder)
}

/**
 * A first start may be killed at any point: an incomplete database is created again, a complete one is moved into
 * place.
 */
async function finishFirstStart(folder: string): Promise<void> {
  await rm(join(folder, NEW_DATABASE_FOLDER), { recursive: true, force: true })
  const from = join(folder, COMPLETE_DATABASE_FOLDER)
  const names = await readdir(from).catch(() => null)
  if (!names) return
  // PG_VERSION marks a database as complete, so it is moved last.
  for (const name of names.sort((a, b) => Number(a === 'PG_VERSION') - Number(b === 'PG_VERSION')))
    await rename(join(from, name), join(folder, name))
  await rmdir(from)
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

async function checkWhole(folder: string): Promise<void> {
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => '')
  if (version && version.trim() !== MAJOR) throw otherVersion(folder, version.trim())
  for (const name of PARTS)
    if (!(await stat(join(folder, name)).catch(() => null))) throw damaged(folder, `нет ${name}`)
  await access(join(folder, 'global/pg_control'), constants.R_OK | constants.W_OK)
  if ((await stat(join(folder, 'global/pg_control'))).size !== CONTROL_BYTES)
    throw damaged(folder, 'global/pg_control не той длины')
  const segments = (await readdir(join(folder, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name))
  if (segments.length === 0) throw damaged(folder, 'pg_wal пуст')
  for (const name of segments)
    if ((await stat(join(folder, 'pg_wal', name))).size !== WAL_BYTES)
      throw damaged(folder, `pg_wal/${name} не той длины`)
}

/** An interrupted copy may lack table files, which would be noticed only when they are queried. */
async function checkRelations(client: PGlite, folder: string): Promise<void> {
  const { rows } = await client.query<{ path: string }>(
    'select pg_relation_filepath(oid) as path from pg_class where pg_relation_filenode(oid) is not null',
  )
  // The folders are listed here, because a query about each file takes the database a quarter of a second.
  const folders = new Set(rows.map(({ path }) => dirname(path)))
  const files = await Promise.all(
    [...folders].map(async (part) => (await readdir(join(folder, part))).map((name) => `${part}/${name}`)),
  )
  const present = new Set(files.flat())
  const missing = rows.find(({ path }) => !present.has(path))
  if (missing) throw damaged(folder, `нет ${missing.path}`)
}

const throwExplained =
  (folder: string) =>
  (error: unknown): never => {
    throw explainEmbedded(error, folder) ?? error
  }

/** Messages of PGlite when a damaged file crashes it; these errors have no SQL state. */
const CRASHED =
  /Aborted\(|failed to initialize properly|invalid page|unreachable|memory access out of bounds|could not (read|open|access)|checkpoint record|PANIC/
const NO_RIGHTS = /EACCES|EPERM|EROFS|permission denied|read-only file system/i

/** The message for the operator when the database folder caused the error, otherwise null. */
export function explainEmbedded(error: unknown, folder: string): StartError | null {
  if (error instanceof StartError) return error
  if (isDiskFull(error)) return new StartError(DISK_FULL_AT_START, { cause: error })
  if (error instanceof Error && NO_RIGHTS.test(error.message)) return noRights(folder, error)
  return isDamage(error) ? damaged(folder, (error as Error).message.split('\n')[0] ?? '', error) : null
}

function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  // XX001 data_corrupted, XX002 index_corrupted.
  return code === 'XX001' || code === 'XX002' || CRASHED.test(error.message) || isDamage(error.cause)
}

const damaged = (folder: string, what: string, cause?: unknown) =>
  new StartError(
    `Папка базы ${folder} повреждена или скопирована не целиком (${what}). Сервер не запущен, новая база поверх неё не создана. Положите на её место целую копию DATA_DIR. Если данных там не было, задайте другой DATA_DIR или уберите эту папку.`,
    { cause },
  )

const noRights = (folder: string, cause: Error) =>
  new StartError(
    `В папку базы ${folder} нельзя писать (${cause.message}). Дайте серверу права на неё или задайте другую в DATA_DIR.`,
    { cause },
  )

const otherVersion = (folder: string, version: string) =>
  new StartError(
    `Папка базы ${folder} создана другой версией встроенной базы: в ней ${version}, эта сборка читает ${MAJOR}. Ничего не изменено. Выгрузите данные сборкой, с которой эта папка работала: npm run dump -- ПАПКА. Затем уберите папку базы и загрузите их этой сборкой: npm run load -- ПАПКА. Или положите на её место подходящую копию DATA_DIR.`,
  )
