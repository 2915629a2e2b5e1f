import { and, eq, inArray } from 'drizzle-orm'
import { EXCERPT_SYMBOLS } from '#contract/assistants.ts'
import type { Source } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { fileChunks, files } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Passage } from '#server/llm/excerpt-block.ts'
import type { Excerpt } from '../knowledge/retrieve.ts'
import type { Said } from './prompt.ts'

/** Looks into an assistant's files for what a question needs. */
export type FindExcerpts = (ctx: Ctx, asked: { assistantId: string; question: string; most: number }) => Promise<Excerpt[]>

/** A passage with everything that is kept of it for its citation. */
export type CitedPassage = Source & Passage

/** A question shorter than this leans on the one before it: «А для двоих?» */
const LEANING = 60

/** What is looked for in the files. */
export function searchText(question: string, history: readonly Pick<Said, 'role' | 'content'>[]): string {
  const asked = question.trim()
  if (asked.length >= LEANING) return asked
  const before = history.findLast(({ role }) => role === 'user')?.content.trim()
  return before ? `${before}\n${asked}`.trim() : asked
}

/** What a new answer is shown of the files, numbered from one. */
export async function freshPassages(
  ctx: Ctx,
  find: FindExcerpts,
  assistantId: string,
  { question, history }: { question: Said; history: readonly Said[] },
): Promise<CitedPassage[]> {
  const found = await find(ctx, {
    assistantId,
    question: searchText(question.content, history),
    most: EXCERPT_SYMBOLS,
  })
  return found.map((excerpt, i) => ({ n: i + 1, ...excerpt }))
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

export const sourceOf = ({ n, chunkId, fileId, fileName, place }: CitedPassage): Source => ({
  n,
  chunkId,
  fileId,
  fileName,
  place,
})
