import { and, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { storageOrphans } from '#server/db/schema.ts'
import type { Job } from '#server/jobs/jobs.ts'
import type { Sweep } from '#server/jobs/sweeps.ts'
import type { Log } from '#server/lib/log.ts'
import type { Storage } from '#server/storage/storage.ts'
import { setWarning } from '../statistics/notes.ts'
import { listKeys } from './kinds.ts'
import type { OwnedStorage } from './owner.ts'

export const storageJobs = (deps: CleaningDeps): Job[] => [
  { name: 'clean-storage', cron: '53 4 * * *', run: () => cleanStorage(deps), limitSeconds: 4 * 3600 },
]

export const storageSweep = (deps: CleaningDeps): Sweep => ({
  name: 'delete-files',
  everyMs: 5000,
  waits: sql`exists (select from ${storageOrphans} where ${isMarked})`,
  run: () => deleteMarkedFiles(deps),
})

/** Time to notice that rows are missing and to restore them from a backup. */
const WAIT_DAYS = 7
const FORGET_DAYS = 30
/** More than 1 % of all objects, or more than MAX_DELETED, looks like an error; up to MIN_DELETABLE are deleted in any case. */
const MAX_DELETED = 100
const MIN_DELETABLE = 10
const BATCH = 1000

interface CleaningDeps {
  db: Db
  owned: OwnedStorage
  log: Log
}

interface Cleaned {
  objects: number
  deleted: number
  /** How many were not deleted because there are too many. */
  held: number
}

/**
 * Deletes objects that no row has named for a week: their rows were deleted by a cascade, or a process died between
 * writing the object and its row. `release` skips the limit on their number.
 */
export async function cleanStorage(deps: CleaningDeps, { release = false } = {}): Promise<Cleaned | null> {
  const { db, owned, log } = deps
  if ((await owned.check()) !== 'ours') return null
  const { objects, due, unexpected } = await findDue(db, owned)
  const most = maxToDelete(objects)
  const isHeld = unexpected > most && !release
  const deleted = isHeld ? 0 : await deleteAll(db, owned.storage, due, log)
  if (isHeld)
    log.error({ objects, without: unexpected, most }, 'storage cleaning: too many files without a row, nothing deleted')
  else if (deleted > 0) log.info({ objects, deleted }, 'storage cleaning: files without a row deleted')
  await setWarning(db, 'storage-cleaning', isHeld ? tooMany(unexpected, objects) : null)
  return { objects, deleted, held: isHeld ? due.length : 0 }
}

export const maxToDelete = (objects: number) =>
  Math.max(MIN_DELETABLE, Math.min(MAX_DELETED, Math.floor(objects / 100)))

const tooMany = (count: number, objects: number) =>
  `Ночная уборка нашла ${count} файлов из ${objects}, о которых база не знает, и ничего из них не удалила: столько лишних не бывает. Возможно, база восстановлена из старой копии. Посмотрите на них командой npm run reconcile -- --files. Если они и правда лишние, удалите их: npm run reconcile -- --files --delete.`

interface Due {
  key: string
  expected: boolean
}

async function findDue(db: Db, { storage, kinds }: OwnedStorage) {
  let objects = 0
  const due: Due[] = []
  for (const kind of kinds) {
    for await (const keys of listKeys(storage, kind)) {
      objects += keys.length
      const named = await kind.named(db, keys)
      if (named.size > 0) await db.delete(storageOrphans).where(inArray(storageOrphans.key, [...named]))
      const orphans = keys.filter((key) => !named.has(key))
      if (orphans.length > 0) due.push(...(await saveOrphans(db, orphans)))
    }
  }
  await db.delete(storageOrphans).where(lt(storageOrphans.seenAt, daysAgo(FORGET_DAYS)))
  return { objects, due, unexpected: due.filter(({ expected }) => !expected).length }
}

/** Stores them as orphans and returns those that have waited for WAIT_DAYS. */
async function saveOrphans(db: Db, keys: string[]): Promise<Due[]> {
  const { key, expected, firstSeenAt } = storageOrphans
  await db
    .insert(storageOrphans)
    .values(keys.map((each) => ({ key: each })))
    .onConflictDoUpdate({ target: key, set: { seenAt: sql`now()` } })
  return db
    .select({ key, expected })
    .from(storageOrphans)
    .where(and(inArray(key, keys), lt(firstSeenAt, daysAgo(WAIT_DAYS))))
}

const daysAgo = (days: number) => sql`now() - make_interval(days => ${days})`

/** A failed delete is logged and retried by the next run. */
async function deleteAll(db: Db, storage: Storage, due: Due[], log: Log): Promise<number> {
  const gone: string[] = []
  for (const { key } of due) {
    try {
      await storage.delete(key)
      gone.push(key)
    } catch (error) {
      log.warn({ err: error, key }, 'storage cleaning: file without a row could not be deleted')
    }
  }
  for (let at = 0; at < gone.length; at += BATCH)
    await db.delete(storageOrphans).where(inArray(storageOrphans.key, gone.slice(at, at + BATCH)))
  return gone.length
}

/** Called before an account is deleted: its files may be deleted without waiting. */
export async function markFilesForDeletion(
  { db, owned }: Pick<CleaningDeps, 'db' | 'owned'>,
  userId: string,
): Promise<void> {
  const { key: target, firstSeenAt } = storageOrphans
  for (const kind of owned.kinds)
    for await (const keys of kind.keys(db, userId))
      await db
        .insert(storageOrphans)
        .values(keys.map((key) => ({ key, expected: true })))
        .onConflictDoUpdate({ target, set: { expected: true, seenAt: firstSeenAt } })
}

const AT_ONCE = 100
const RETRY = sql`now() - interval '5 minutes'`
const STAYED = sql`now() - interval '1 hour'`
const isMarked = and(
  storageOrphans.expected,
  or(eq(storageOrphans.seenAt, storageOrphans.firstSeenAt), lt(storageOrphans.seenAt, RETRY)),
)

/**
 * Deletes a batch of files of deleted accounts and returns their number; failed ones are retried later. Files that
 * still have a row stay, because the deletion of the account may be running or was refused.
 */
export async function deleteMarkedFiles({ db, owned, log }: CleaningDeps): Promise<number> {
  const { key, expected, firstSeenAt, seenAt } = storageOrphans
  const rows = await db
    .select({ key, expected, stayed: sql<boolean>`${firstSeenAt} < ${STAYED}` })
    .from(storageOrphans)
    .where(isMarked)
    .orderBy(seenAt)
    .limit(AT_ONCE)
  if (rows.length === 0 || (await owned.check()) !== 'ours') return 0
  const keys = rows.map((row) => row.key)
  const named = await findNamed(db, owned, keys)
  const deleted = await deleteAll(
    db,
    owned.storage,
    rows.filter((row) => !named.has(row.key)),
    log,
  )
  const stayed = rows.filter((row) => named.has(row.key) && row.stayed).map((row) => row.key)
  if (stayed.length > 0) await db.delete(storageOrphans).where(inArray(key, stayed))
  await db.update(storageOrphans).set({ seenAt: sql`now()` }).where(inArray(key, keys))
  return deleted
}

async function findNamed(db: Db, { kinds }: OwnedStorage, keys: string[]): Promise<Set<string>> {
  const named = new Set<string>()
  for (const kind of kinds) {
    const own = keys.filter((key) => key.startsWith(`${kind.prefix}/`))
    if (own.length > 0) for (const key of await kind.named(db, own)) named.add(key)
  }
  return named
}
