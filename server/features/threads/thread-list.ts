import { and, desc, eq, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Thread, ThreadFilter } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { threads } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { Page } from '#server/http/route.ts'
import { readCursor, writeCursor } from '#server/lib/cursor.ts'
import { selectThreads, toThread } from './to-thread.ts'

type View = ThreadFilter['view']

export async function listThreads({ db, user }: Ctx, filter: ThreadFilter): Promise<Page<Thread[]>> {
  const found = (await threadsAfter(db, user.id, filter)).map(toThread)
  const items = found.slice(0, filter.limit)
  const last = found.length > items.length ? items.at(-1) : undefined
  return new Page(items, last ? cursorOf(last, filter.view) : null)
}

/** Reads one row more than the page holds, to know whether there is a next page. Each view has its own index. */
export function threadsAfter(db: Db, userId: string, { view, limit, cursor }: Omit<ThreadFilter, 'query'>) {
  const { within, order } = views[view]
  return selectThreads(db)
    .where(and(eq(threads.userId, userId), within, cursor ? after(view, readCursor(Cursor, cursor)) : undefined))
    .orderBy(...order)
    .limit(limit + 1)
}

const views: Record<View, { within: SQL | undefined; order: SQL[] }> = {
  active: {
    within: and(isNull(threads.deletedAt), not(threads.archived)),
    order: [desc(threads.pinned), desc(threads.updatedAt), desc(threads.id)],
  },
  archived: {
    within: and(isNull(threads.deletedAt), sql`${threads.archived}`),
    order: [desc(threads.updatedAt), desc(threads.id)],
  },
  trash: { within: isNotNull(threads.deletedAt), order: [desc(threads.deletedAt), desc(threads.id)] },
}

/** The sort key of the last row of a page: threads that move to the top meanwhile do not shift the next page. */
const Cursor = z.tuple([
  z.boolean(),
  z.int().check(z.minimum(0), z.maximum(8.64e15)),
  z.string().check(z.regex(/^[\w-]{1,64}$/)),
])
type Cursor = z.infer<typeof Cursor>

function after(view: View, [pinned, time, id]: Cursor): SQL {
  const at = sql`${new Date(time).toISOString()}::timestamptz`
  if (view === 'trash') return sql`(${threads.deletedAt}, ${threads.id}) < (${at}, ${id})`
  if (view === 'archived') return sql`(${threads.updatedAt}, ${threads.id}) < (${at}, ${id})`
  return sql`(${threads.pinned}, ${threads.updatedAt}, ${threads.id}) < (${pinned}::boolean, ${at}, ${id})`
}

function cursorOf({ pinned, updatedAt, deletedAt, id }: Thread, view: View): string {
  const at = Date.parse(view === 'trash' ? (deletedAt ?? updatedAt) : updatedAt)
  const cursor: Cursor = [pinned, at, id]
  return writeCursor(cursor)
}
