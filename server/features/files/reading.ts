import { and, asc, eq, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { countSymbols } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { files } from '#server/db/schema.ts'
import { Closing, type Parse } from '#server/files/pool.ts'
import type { ReadText } from '#server/files/tidy.ts'
import { Unreadable } from '#server/files/unreadable.ts'
import type { Publish } from '#server/http/context.ts'
import type { Log } from '#server/lib/log.ts'
import { readWhole } from '#server/storage/storage.ts'
import { fileAsText } from './as-text.ts'
import type { FileWorld } from './world.ts'

export interface ReadingWorld extends FileWorld {
  db: Db
  publish: Publish
  log: Log
}

/** Whoever took a file in reads it within this time, or leaves it to the job. */
const FRESH_MINUTES = 3
/** Fresh, then loaded and read, all within their limits: what still is being read after this has lost its reader. */
const LOST_MINUTES = 6
const LOAD_MS = 60_000
const BATCH = 5
/** A run of the job that lasts ten minutes is taken for dead; after this it begins nothing new. */
const RUN_MS = 7 * 60_000
const PROGRESS_MS = 1000

const AGAIN = 'Чтение прервалось, файл читается снова.'
const GIVEN_UP = 'Прочитать файл не получилось и со второго раза. Загрузите его снова, лучше по частям.'
const BYTES_GONE = 'Файл не сохранился. Загрузите его снова.'

const older = (minutes: number) => lt(files.createdAt, sql`now() - make_interval(mins => ${minutes})`)
const younger = (minutes: number) => sql`${files.createdAt} >= now() - make_interval(mins => ${minutes})`

/** Reads a file that has just come. Of several that want to, the one whose update finds it unclaimed does. */
export const readFresh = (world: ReadingWorld, id: string) =>
  read(world, and(eq(files.id, id), eq(files.state, 'uploaded'), younger(FRESH_MINUTES)), null)

/**
 * Reads what a dead process left: a job that one instance at a time runs. `aloneSince` is when this process started,
 * if no other can share its database: whatever is older has certainly lost its reader.
 */
export async function readLost(world: ReadingWorld, aloneSince: Date | null): Promise<void> {
  const until = Date.now() + RUN_MS
  const left = aloneSince ? lt(files.createdAt, aloneSince) : undefined
  const waiting = and(eq(files.state, 'uploaded'), or(older(FRESH_MINUTES), left))
  const begun = and(eq(files.state, 'reading'), or(older(LOST_MINUTES), left))
  // Only this job reads a second time, and it does so here: a second try that is still going on is a dead one.
  await change(world, and(begun, eq(files.error, AGAIN)), { state: 'failed', error: GIVEN_UP })
  const lost = await world.db
    .select({ id: files.id })
    .from(files)
    .where(or(waiting, begun))
    .orderBy(asc(files.createdAt))
    .limit(BATCH)
  for (const { id } of lost)
    await read(world, and(eq(files.id, id), or(waiting, and(begun, isNull(files.error)))), AGAIN, until)
}

interface Claimed {
  id: string
  name: string
  mime: string
  storageKey: string
}

/** Claims a file when a thread is free for it, and leaves it ready, failed, or as it was if the server stops. */
function read(
  world: ReadingWorld,
  claim: SQL | undefined,
  error: string | null,
  until = Number.POSITIVE_INFINITY,
): Promise<void> {
  return world.pool
    .use(async (parse) => {
      if (Date.now() > until) return
      const [file] = await change(world, claim, { state: 'reading', progress: 0, error })
      if (!file) return
      const only = and(eq(files.id, file.id), eq(files.state, 'reading'))
      try {
        const text = await textOf(world, file, parse)
        const symbols = countSymbols(fileAsText(file.name, text.content))
        await change(world, only, { state: 'ready', progress: 100, error: null, symbols, ...text })
      } catch (failure) {
        await change(world, only, afterFailure(world, failure, error !== null))
      }
    })
    .catch((failure: unknown) => {
      if (!(failure instanceof Closing)) throw failure
    })
}

async function textOf(world: ReadingWorld, file: Claimed, parse: Parse): Promise<ReadText> {
  const bytes = await within(LOAD_MS, readWhole(world.storage, file.storageKey))
  if (!bytes) throw new Unreadable(BYTES_GONE)
  let toldAt = Date.now()
  return parse({ mime: file.mime, bytes }, (progress) => {
    if (Date.now() - toldAt < PROGRESS_MS) return
    toldAt = Date.now()
    change(world, and(eq(files.id, file.id), eq(files.state, 'reading')), { progress }).catch(() => undefined)
  })
}

/** A bad file stays bad. If it was ours, the storage or the stopping server, the job tries once more. */
function afterFailure({ log }: ReadingWorld, failure: unknown, isSecondTry: boolean) {
  if (failure instanceof Unreadable) return { state: 'failed', error: failure.message } as const
  if (failure instanceof Closing) return { state: 'uploaded' } as const
  log.error({ err: failure }, 'a file could not be read')
  return isSecondTry ? ({ state: 'failed', error: GIVEN_UP } as const) : ({ state: 'uploaded' } as const)
}

/** Every change of a file that belongs to an assistant is news to its owner. */
async function change(
  { db, publish }: ReadingWorld,
  which: SQL | undefined,
  values: Partial<typeof files.$inferInsert>,
): Promise<Claimed[]> {
  const { id, userId, assistantId, name, mime, storageKey } = files
  const rows = await db
    .update(files)
    .set(values)
    .where(which)
    .returning({ id, userId, assistantId, name, mime, storageKey })
  for (const row of rows) {
    if (row.assistantId)
      publish(row.userId, { topic: 'assistants', type: 'file', data: { id: row.id, assistantId: row.assistantId } })
  }
  return rows
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`The storage gave a file too slowly, over ${ms} ms`)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
