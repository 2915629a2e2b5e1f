import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { installation } from '#server/db/schema.ts'
import { StartError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { Log } from '#server/lib/log.ts'
import { type Storage, StorageError } from '#server/storage/storage.ts'
import { setWarning } from '../statistics/notes.ts'
import { listKeys, type StoredKind } from './kinds.ts'

/** A restored dump has the same id but another database identity. */
const Owner = z.object({ id: z.string(), database: z.nullable(z.string()) })
type Owner = z.infer<typeof Owner>

/** `unknown`: the storage has not answered yet. Objects are deleted only when it is `ours`. */
type Ownership = 'ours' | 'other installation' | 'other database' | 'unknown'

interface OwnerDeps {
  db: Db
  storage: Storage
  kinds: StoredKind[]
  log: Log
  /** Makes this installation the owner, even if another one was. */
  adopt: boolean
}

export interface OwnedStorage {
  /** The storage, whose `delete` throws unless it is ours. */
  storage: Storage
  /** Checks the owner again and sets a warning for administrators if it is not ours. */
  check: () => Promise<Ownership>
  kinds: StoredKind[]
}

/** A later answer does not stop the process. */
const START_WAIT_MS = 5000

export async function openStorage(deps: OwnerDeps & { production: boolean }): Promise<OwnedStorage> {
  const owned = guardStorage(deps)
  const first = owned.check()
  first.catch((error: unknown) => deps.log.error({ err: error }, 'storage owner: check failed'))
  const state = await Promise.race([first, sleep(START_WAIT_MS, 'unknown' as const, { ref: false })])
  if (deps.production && state === 'other installation')
    throw new StartError(`Сервер не запущен. ${warnings['other installation']}`)
  return owned
}

export function guardStorage({ db, storage, kinds, log, adopt }: OwnerDeps): OwnedStorage {
  let state: Ownership = 'unknown'
  let isAdopting = adopt
  let running: Promise<Ownership> | null = null

  const readState = async (): Promise<Ownership> => {
    const own = { id: await installationId(db), database: await databaseIdentity(db) }
    try {
      if (isAdopting) {
        await storage.writeOwner(JSON.stringify(own))
        isAdopting = false
        log.warn('storage owner: storage adopted, remove STORAGE_ADOPT from the settings')
      }
      state = await ownershipOf({ db, storage, kinds }, own)
    } catch (error) {
      state = 'unknown'
      const advice = adviceFor(error)
      log.error({ err: error, advice }, 'storage owner: the storage does not work')
      await setWarning(db, 'storage', advice)
      return state
    }
    if (state !== 'ours')
      log.error({ state, advice: warnings[state] }, 'storage owner: the storage is not ours, nothing is deleted')
    await setWarning(db, 'storage', warnings[state])
    return state
  }
  const check = () => {
    running ??= readState().finally(() => {
      running = null
    })
    return running
  }

  return {
    check,
    kinds,
    storage: {
      ...storage,
      delete: async (key) => {
        if (state === 'unknown') await check()
        if (state !== 'ours') throw new StorageError(`${key} is not deleted: the storage is not known to be ours`)
        await storage.delete(key)
      },
    },
  }
}

type Searched = Pick<OwnerDeps, 'db' | 'storage' | 'kinds'>

async function ownershipOf(searched: Searched, own: Owner): Promise<Ownership> {
  const { storage } = searched
  const written = await storage.readOwner()
  if (written === null) {
    if (await hasOnlyForeignObjects(searched)) return 'other installation'
    await storage.writeOwner(JSON.stringify(own))
    return ownershipOf(searched, own)
  }
  const owner = readOwner(written)
  if (owner?.id !== own.id) return 'other installation'
  const isKnown = owner.database !== null && own.database !== null
  return isKnown && owner.database !== own.database ? 'other database' : 'ours'
}

function readOwner(text: string): Owner | null {
  try {
    return Owner.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** For a storage without an owner file: true if it has objects, but rows name none of the first ones of any kind. */
async function hasOnlyForeignObjects({ db, storage, kinds }: Searched): Promise<boolean> {
  let isEmpty = true
  for (const kind of kinds) {
    for await (const keys of listKeys(storage, kind)) {
      if ((await kind.named(db, keys)).size > 0) return false
      isEmpty = false
      break
    }
  }
  return !isEmpty
}

async function installationId(db: Db): Promise<string> {
  await db.insert(installation).values({ id: newId() }).onConflictDoNothing()
  const [row] = await db.select({ id: installation.id }).from(installation)
  if (!row) throw new Error('The installation has no id')
  return row.id
}

const Identity = z.object({ identity: z.string() })

/** Differs in a database restored from a dump. Null when the role may not read it. */
async function databaseIdentity(db: Db): Promise<string | null> {
  const rows = await rowsOf(
    db,
    sql`
    select system_identifier::text || ':' || (select oid from pg_database where datname = current_database()) as identity
    from pg_control_system()`,
    Identity,
  ).catch(() => [])
  return rows[0]?.identity ?? null
}

const ADOPT = 'запустите сервер один раз с STORAGE_ADOPT=1'

const warnings = {
  ours: null,
  'other installation': `База и хранилище файлов не подходят друг к другу: файлы принадлежат другой установке, поэтому они не удаляются. Проверьте DATABASE_URL, DATA_DIR, S3_BUCKET и S3_PREFIX. Если эта база и эти файлы теперь должны работать вместе, ${ADOPT}.`,
  'other database': `База восстановлена из копии или переехала, а с этими файлами работала прежняя, поэтому файлы пока не удаляются. Если прежняя база больше не работает, ${ADOPT}. Если это пробная копия, дайте ей своё хранилище: другой S3_BUCKET, S3_PREFIX или DATA_DIR.`,
  unknown: null,
} as const satisfies Record<Ownership, string | null>

const advices: Record<string, string> = {
  NoSuchBucket: 'такой корзины нет. Проверьте S3_BUCKET и S3_ENDPOINT.',
  InvalidAccessKeyId: 'ключ не принят. Проверьте S3_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'ключ не принят. Проверьте S3_SECRET_ACCESS_KEY.',
  AccessDenied: 'у ключа нет прав. Разрешите ему читать, писать, удалять и перечислять объекты корзины S3_BUCKET.',
  AuthorizationHeaderMalformed: 'корзина в другом регионе. Проверьте S3_REGION.',
  PermanentRedirect: 'корзина в другом месте. Проверьте S3_REGION и S3_ENDPOINT.',
  RequestTimeTooSkewed: 'часы сервера идут неверно. Настройте синхронизацию времени.',
}

function adviceFor(error: unknown): string {
  const { message } = error as Error
  if (!(error instanceof StorageError)) return `Хранилище файлов не работает: ${message}. Проверьте права на DATA_DIR.`
  const known = error.code === null ? undefined : advices[error.code]
  return `Хранилище файлов не работает: ${known ?? `${message}. Проверьте S3_ENDPOINT и доступна ли корзина.`}`
}
