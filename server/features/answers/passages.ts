import { and, eq, inArray } from 'drizzle-orm'
import type { Citation } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { filePassages, files } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Passage } from '../knowledge/retrieve.ts'
import { type CitedPassage, type PromptMessage, type PromptOrder, passageLimit } from './prompt.ts'

/** Searches an assistant's files for passages about a question: at most `most` symbols, best first. */
export type FindPassages = (
  ctx: Ctx,
  ask: { assistantId: string; question: string; most: number },
) => Promise<{ passages: Passage[] }>

/** A question shorter than this is searched together with the previous one: «А для двоих?» */
const SHORT_QUESTION = 60

/** The search query for a question. */
export function searchText(question: string, history: readonly Pick<PromptMessage, 'role' | 'content'>[]): string {
  const asked = question.trim()
  if (asked.length >= SHORT_QUESTION) return asked
  const before = history.findLast(({ role }) => role === 'user')?.content.trim()
  return before ? `${before}\n${asked}`.trim() : asked
}

/** The share of the passage limit for passage texts; the rest is for the headings around them. */
const TEXT_SHARE = 0.83

/** Passages for a new answer, numbered from one. */
export async function freshPassages(
  ctx: Ctx,
  find: FindPassages,
  assistantId: string,
  order: Omit<PromptOrder, 'passages'>,
): Promise<CitedPassage[]> {
  const question = searchText(order.question.content, order.history)
  const most = Math.floor(passageLimit(order) * TEXT_SHARE)
  const { passages } = await find(ctx, { assistantId, question, most })
  return passages.map((passage, i) => ({ n: i + 1, ...passage }))
}

/** Passages for a continued answer: the same ones under the same numbers, because its text may already cite them. */
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
  return citations.flatMap((citation) => {
    const row = known.get(citation.passageId)
    return row ? [{ ...citation, text: row.text, section: row.section }] : []
  })
}
