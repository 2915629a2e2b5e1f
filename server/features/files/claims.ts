import { and, eq, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { files } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'

/** Who works on a file says so in its row, again and again. Silence means that the worker died. */
const BEAT_MS = 8000
export const SILENT_SECONDS = 30
export const MAX_TRIES = 3

export interface ClaimWorld {
  db: Db
  publish: Publish
}

export interface Claimed {
  id: string
  userId: string
  assistantId: string | null
  name: string
  mime: string
  storageKey: string
  state: 'uploaded' | 'reading' | 'indexing' | 'ready' | 'failed'
  /** Which try this is; a worker that was given up for dead has an earlier one, and changes nothing any more. */
  tries: number
}

const { id, userId, assistantId, name, mime, storageKey, state, tries } = files
const claimedColumns = { id, userId, assistantId, name, mime, storageKey, state, tries }

export const unfinished = inArray(state, ['uploaded', 'reading', 'indexing'])

/** Files whose worker is dead or never came; `aloneSince` is when this process began, if it can be the only one. */
export const lost = (aloneSince: Date | null) => {
  const sign = sql`coalesce(${files.claimedAt}, ${files.createdAt})`
  const silent = sql`${sign} < now() - make_interval(secs => ${SILENT_SECONDS})`
  return and(unfinished, aloneSince ? or(silent, sql`${sign} < ${aloneSince.toISOString()}::timestamptz`) : silent)
}

/** Takes a file to work on. Of several that want it, the one whose update finds it as described does. */
export async function claim(world: ClaimWorld, which: SQL | undefined): Promise<Claimed | undefined> {
  const [file] = await change(world, and(which, lt(tries, MAX_TRIES)), {
    // A text that was read is not read again.
    state: sql`case when ${files.content} is null then 'reading' else 'indexing' end`,
    progress: 0,
    error: null,
    tries: sql`${tries} + 1`,
    claimedAt: sql`now()`,
  })
  return file
}

/** The file, as long as the claim is ours. */
export const held = (file: Claimed) => and(eq(id, file.id), eq(tries, file.tries), unfinished)

/** Renews a claim until it is let go. `lost` tells when the file is gone, or somebody else's. */
export function keepClaim({ db }: ClaimWorld, file: Claimed, onError: (error: unknown) => void) {
  const lost = new AbortController()
  const beat = async () => {
    const rows = await db.update(files).set({ claimedAt: sql`now()` }).where(held(file)).returning({ id })
    if (rows.length === 0) lost.abort()
  }
  const timer = setInterval(() => void beat().catch(onError), BEAT_MS)
  timer.unref()
  return { lost: lost.signal, letGo: () => clearInterval(timer) }
}

type Values = { [Key in keyof typeof files.$inferInsert]?: (typeof files.$inferInsert)[Key] | SQL }

/** Every change of a file that belongs to an assistant is news to its owner. */
export async function change({ db, publish }: ClaimWorld, which: SQL | undefined, values: Values): Promise<Claimed[]> {
  const rows = await db.update(files).set(values).where(which).returning(claimedColumns)
  for (const row of rows) {
    if (row.assistantId)
      publish(row.userId, { topic: 'assistants', type: 'file', data: { id: row.id, assistantId: row.assistantId } })
  }
  return rows
}
