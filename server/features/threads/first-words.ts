import { and, asc, inArray, isNull, sql } from 'drizzle-orm'
import type { Thread, ThreadRow } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { messages } from '#server/db/schema.ts'

const MOST_SYMBOLS = 120

/** Adds the beginning of the first question to rows that share a title with another; without such rows, no query. */
export async function addFirstWords<Row extends Thread>(db: Db, rows: Row[]): Promise<(Row & ThreadRow)[]> {
  const ids = sameNamed(rows)
  if (ids.length === 0) return rows
  const first = await firstWordsOf(db, ids)
  const words = new Map(first.map(({ threadId, text }) => [threadId, text.replace(/\s+/g, ' ').trim()]))
  return rows.map((row) => {
    const firstWords = words.get(row.id)
    return firstWords ? { ...row, firstWords } : row
  })
}

function sameNamed(rows: readonly Thread[]): string[] {
  const counts = new Map<string, number>()
  for (const { title } of rows) counts.set(title, (counts.get(title) ?? 0) + 1)
  return rows.filter(({ title }) => (counts.get(title) ?? 0) > 1).map(({ id }) => id)
}

/** Reads by the index of first messages. The owner is not checked: `ids` must be threads of the caller. */
export function firstWordsOf(db: Db, ids: string[]) {
  return db
    .selectDistinctOn([messages.threadId], {
      threadId: messages.threadId,
      text: sql<string>`left(${messages.content}, ${MOST_SYMBOLS})`,
    })
    .from(messages)
    .where(and(inArray(messages.threadId, ids), isNull(messages.parentId)))
    .orderBy(asc(messages.threadId), asc(messages.createdAt))
}
