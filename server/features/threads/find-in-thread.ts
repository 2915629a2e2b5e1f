import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { foldFound, IGNORED, SPACES } from '#contract/found-text.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import type { Ctx } from '#server/http/context.ts'
import { latestLast, walkUp } from './message-rows.ts'
import { findThread, openThread } from './to-thread.ts'

const MAX_MESSAGES = 20_000
const Found = z.object({ id: z.string() })

/** What `foldFound` does, in the database: characters without a counterpart go. */
const FROM = `ё${SPACES}${IGNORED}`
const TO = `е${' '.repeat(SPACES.length)}`

/** The messages of the shown branch that have these words next to each other, oldest first. */
export async function findInThread({ db, user }: Ctx, id: string, query: string): Promise<string[]> {
  const { currentLeafId } = await findThread(db, openThread(user.id, id))
  const words = foldFound(query)
  if (currentLeafId === null || words === '') return []
  const branch = walkUp({ userId: user.id, leafId: currentLeafId, limit: MAX_MESSAGES })
  const rows = await rowsOf(
    db,
    sql`select branch.id from (${branch}) as branch
      where strpos(translate(lower(branch.content), ${FROM}, ${TO}), ${words}) > 0 order by ${latestLast}`,
    Found,
  )
  return rows.map((row) => row.id)
}
