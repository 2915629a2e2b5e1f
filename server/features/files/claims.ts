import { and, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { files } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import { type Instance, isOwnerStale } from '#server/instances/instance.ts'

export const MAX_TRIES = 3

export interface ClaimDeps {
  db: Db
  publish: Publish
  instance: Pick<Instance, 'id'>
}

export interface ClaimedFile {
  id: string
  userId: string
  libraryId: string | null
  name: string
  mime: string
  storageKey: string
  state: 'uploaded' | 'reading' | 'indexing' | 'ready' | 'failed'
  /** A worker that lost its claim has a smaller number, and its updates match no row. */
  tries: number
}

const { id, userId, libraryId, name, mime, storageKey, state, tries } = files
const claimedColumns = { id, userId, libraryId, name, mime, storageKey, state, tries }

export const isUnfinished = inArray(state, ['uploaded', 'reading', 'indexing'])

/** Unfinished files that no live instance reads. */
export const isStale = and(
  isUnfinished,
  or(isOwnerStale(files.instance), and(isNull(files.instance), lt(files.claimableAt, sql`now()`))),
)

/** A failed try is repeated half a minute later. */
export const inHalfAMinute = sql`now() + interval '30 seconds'`

/** Claims a file that matches the condition; of parallel claims only the first update finds it. */
export async function claim(deps: ClaimDeps, which: SQL | undefined): Promise<ClaimedFile | undefined> {
  const [file] = await updateFiles(deps, and(which, lt(tries, MAX_TRIES)), {
    // A file whose text is stored is only indexed.
    state: sql`case when ${files.content} is null then 'reading' else 'indexing' end`,
    progress: 0,
    error: null,
    tries: sql`${tries} + 1`,
    instance: deps.instance.id,
  })
  return file
}

export const isClaimValid = (file: ClaimedFile) => and(eq(id, file.id), eq(tries, file.tries), isUnfinished)

type Values = { [Key in keyof typeof files.$inferInsert]?: (typeof files.$inferInsert)[Key] | SQL }

/** Updates files, and publishes an event for each that belongs to an assistant or a project. */
export async function updateFiles(
  { db, publish }: Pick<ClaimDeps, 'db' | 'publish'>,
  which: SQL | undefined,
  values: Values,
): Promise<ClaimedFile[]> {
  const rows = await db.update(files).set(values).where(which).returning(claimedColumns)
  for (const row of rows) {
    if (row.libraryId)
      publish(row.userId, { topic: 'files', type: 'changed', data: { id: row.id, libraryId: row.libraryId } })
  }
  return rows
}
