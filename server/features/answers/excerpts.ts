import { and, eq, inArray } from 'drizzle-orm'
import type { Source } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { fileChunks, files } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Excerpt } from '../knowledge/retrieve.ts'
import { type CitedPassage, type PromptOrder, roomForPassages, type Said } from './prompt.ts'

/** Looks into an assistant's files for what a question needs; `most` symbols of it, the best first. */
export type FindExcerpts = (
  ctx: Ctx,
  ask: { assistantId: string; question: string; most: number },
) => Promise<{ excerpts: Excerpt[] }>

/** A question shorter than this leans on the one before it: «А для двоих?» */
const LEANING = 60

/** What is looked for in the files. */
export function searchText(question: string, history: readonly Pick<Said, 'role' | 'content'>[]): string {
  const asked = question.trim()
  if (asked.length >= LEANING) return asked
  const before = history.findLast(({ role }) => role === 'user')?.content.trim()
  return before ? `${before}\n${asked}`.trim() : asked
}

/** What of the room for passages is asked for; the rest is for what is written around them. */
const FILLED = 0.83

/** What a new answer is shown of the files, numbered from one. */
export async function freshPassages(
  ctx: Ctx,
  find: FindExcerpts,
  assistantId: string,
  order: Omit<PromptOrder, 'passages'>,
): Promise<CitedPassage[]> {
  const question = searchText(order.question.content, order.history)
  const most = Math.floor(roomForPassages(order) * FILLED)
  const { excerpts } = await find(ctx, { assistantId, question, most })
  return excerpts.map((excerpt, i) => ({ n: i + 1, ...excerpt }))
}

/** An answer that goes on is shown what it was shown before, under the same numbers: it may have named them already. */
export async function samePassages(db: Db, assistantId: string, sources: readonly Source[]): Promise<CitedPassage[]> {
  if (sources.length === 0) return []
  const ids = sources.map(({ chunkId }) => chunkId)
  const rows = await db
    .select({ id: fileChunks.id, text: fileChunks.text, section: fileChunks.section })
    .from(fileChunks)
    .innerJoin(files, eq(files.id, fileChunks.fileId))
    .where(and(inArray(fileChunks.id, ids), eq(files.assistantId, assistantId)))
  const known = new Map(rows.map((row) => [row.id, row]))
  return sources.flatMap((source) => {
    const row = known.get(source.chunkId)
    return row ? [{ ...source, text: row.text, section: row.section }] : []
  })
}
