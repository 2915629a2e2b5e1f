import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Found, ThreadRow } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { messages, threads } from '#server/db/schema.ts'
import { selectThreads, toThread } from '../threads/to-thread.ts'
import { fragmentOf, markedText, type Span, wordsBeginning } from './fragment.ts'
import type { Hit } from './rank.ts'
import type { TextQuery } from './text-query.ts'
import { MAX_SEARCHED } from './vector.ts'

/** Returns the spans of the found words in each text. */
export type Marker = (texts: string[]) => Promise<Span[][]>

/** List rows with the found fragments, in the order of the hits. */
export async function toFoundRows(db: Db, userId: string, hits: Hit[], mark: Marker): Promise<ThreadRow[]> {
  if (hits.length === 0) return []
  const ids = hits.map(({ threadId }) => threadId)
  const rows = await selectThreads(db).where(and(inArray(threads.id, ids), eq(threads.userId, userId)))
  const contents = await contentsOf(db, userId, hits)
  const known = new Map(rows.map((row) => [row.thread.id, toThread(row)]))
  const shown = hits.flatMap(({ threadId, messageId }) => {
    const thread = known.get(threadId)
    const text = messageId === null ? thread?.title : contents.get(messageId)
    return thread && text !== undefined ? [{ thread, messageId, text }] : []
  })
  const spans = await mark(shown.map(({ text }) => text))
  return shown.map(({ thread, messageId, text }, i) => ({
    ...thread,
    found: { messageId, pieces: fragmentsOf(messageId, text, spans[i] ?? []) },
  }))
}

function fragmentsOf(messageId: string | null, text: string, spans: Span[]): Found['pieces'] {
  return messageId === null ? markedText(text, spans) : fragmentOf(text, spans)
}

async function contentsOf(db: Db, userId: string, hits: Hit[]): Promise<Map<string, string>> {
  const ids = hits.flatMap(({ messageId }) => messageId ?? [])
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: messages.id, content: sql<string>`left(${messages.content}, ${MAX_SEARCHED})` })
    .from(messages)
    .where(and(inArray(messages.id, ids), eq(messages.userId, userId)))
  return new Map(rows.map(({ id, content }) => [id, content]))
}

/**
 * Sends the words that begin with the same characters to the database and marks those that match. ts_headline would
 * parse every text whole and return it without «ё».
 */
export const markWords =
  (db: Db, { each }: TextQuery): Marker =>
  async (texts) => {
    const characters = (each.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((stem) =>
      String.fromCodePoint(stem.codePointAt(0) ?? 0),
    )
    const spans = texts.map((text) => wordsBeginning(text, characters))
    const words = [...new Set(spans.flat().map(({ word }) => word))]
    const { rows } = (await db.execute(sql`
      select word from jsonb_array_elements_text(${JSON.stringify(words)}::text::jsonb) as word
      where to_tsvector('russian', word) @@ to_tsquery('simple', ${each})`)) as unknown as { rows: { word: string }[] }
    const found = new Set(rows.map(({ word }) => word))
    return spans.map((each) => each.filter(({ word }) => found.has(word)))
  }
