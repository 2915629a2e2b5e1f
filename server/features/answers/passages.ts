import { and, eq, inArray } from 'drizzle-orm'
import type { Citation } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { filePassages, files } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Passage } from '../knowledge/retrieve.ts'
import { type CitedPassage, type PromptMessage, type PromptOrder, roomForPassages } from './prompt.ts'

/** Looks into an assistant's files for what a question needs; `most` symbols of it, the best first. */
export type FindPassages = (
  ctx: Ctx,
  ask: { assistantId: string; question: string; most: number },
) => Promise<{ passages: Passage[] }>

/** A question shorter than this leans on the one before it: «А для двоих?» */
const LEANING = 60

/** What is looked for in the files. */
export function searchText(question: string, history: readonly Pick<PromptMessage, 'role' | 'content'>[]): string {
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
  find: FindPassages,
  assistantId: string,
  order: Omit<PromptOrder, 'passages'>,
): Promise<CitedPassage[]> {
  const question = searchText(order.question.content, order.history)
  const most = Math.floor(roomForPassages(order) * FILLED)
  const { passages } = await find(ctx, { assistantId, question, most })
  return passages.map((passage, i) => ({ n: i + 1, ...passage }))
}

/** An answer that goes on is shown what it was shown before, under the same numbers: it may have named them already. */
export async function samePassages(
  db: Db,
  assistantId: string,
  citations: readonly Citation[],
): Promise<CitedPassage[]> {
  if (citations.length === 0) return []
  const ids = citations.map(({ passageId }) => passageId)
  const rows = await db
    .select({ id: filePassages.id, text: filePassages.text, section: filePassages.section })
    .from(filePassages)
    .innerJoin(files, eq(files.id, filePassages.fileId))
    .where(and(inArray(filePassages.id, ids), eq(files.assistantId, assistantId)))
  const known = new Map(rows.map((row) => [row.id, row]))
  return citations.flatMap((source) => {
    const row = known.get(source.passageId)
    return row ? [{ ...source, text: row.text, section: row.section }] : []
  })
}
