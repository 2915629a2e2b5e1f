import { and, eq, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { files } from '#server/db/schema.ts'
import type { Publish } from '#server/http/context.ts'
import { type Instance, orphaned } from '#server/work/instance.ts'

export const MAX_TRIES = 3

export interface ClaimDeps {
  db: Db
  publish: Publish
  /** The process that owns what is read here. */
  instance: Pick<Instance, 'id'>
}

export interface Claimed {
  id: string
  userId: string
  assistantId: string | null
  name: string
  mime: string
  storageKey: string
  state: 'uploaded' | 'reading' | 'indexing' | 'ready' | 'failed'
  /** Which try this is; a worker that was taken for dead has an earlier one, and changes nothing any more. */
  tries: number
}

const { id, userId, assistantId, name, mime, storageKey, state, tries } = files
const claimedColumns = { id, userId, assistantId, name, mime, storageKey, state, tries }

export const unfinished = inArray(state, ['uploaded', 'reading', 'indexing'])

/** Files that no living process reads, or that were never begun. The previous release names no process. */
export const isLeft = and(
  unfinished,
  or(
    orphaned(files.instance),
    and(
      sql`${files.instance} is null`,
      sql`coalesce(${files.claimedAt}, ${files.createdAt}) < now() - interval '30 seconds'`,
    ),
  ),
)

/** Takes a file to work on. Of several that want it, the one whose update finds it as described does. */
export async function claim(deps: ClaimDeps, which: SQL | undefined): Promise<Claimed | undefined> {
  const [file] = await change(deps, and(which, lt(tries, MAX_TRIES)), {
    // A text that was read is not read again.
    state: sql`case when ${files.content} is null then 'reading' else 'indexing' end`,
    progress: 0,
    error: null,
    tries: sql`${tries} + 1`,
    instance: deps.instance.id,
    // For the previous release, which takes a file with an old one for left behind.
    claimedAt: sql`now() + interval '1 day'`,
  })
  return file
}

/** The file, as long as the claim is ours. */
export const held = (file: Claimed) => and(eq(id, file.id), eq(tries, file.tries), unfinished)

type Values = { [Key in keyof typeof files.$inferInsert]?: (typeof files.$inferInsert)[Key] | SQL }

/** Every change of a file that belongs to an assistant is news to its owner. */
export async function change(
  { db, publish }: Pick<ClaimDeps, 'db' | 'publish'>,
  which: SQL | undefined,
  values: Values,
): Promise<Claimed[]> {
  const rows = await db.update(files).set(values).where(which).returning(claimedColumns)
  for (const row of rows) {
    if (row.assistantId)
      publish(row.userId, { topic: 'assistants', type: 'file', data: { id: row.id, assistantId: row.assistantId } })
  }
  return rows
}
