import { inArray } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { messages } from '#server/db/schema.ts'
import { reconcile } from '#server/features/billing/invariants.ts'
import { textOf, writeOrder } from './shapes.ts'
import type { Side } from './stream-levels.ts'

/** Answers that are not stored letter by letter as the model said them, in words. */
export async function wrongAnswers(db: Db, streams: Side['streams']): Promise<string[]> {
  const ids = streams.flatMap(({ result }) => result.messageId ?? [])
  const rows = await db.select().from(messages).where(inArray(messages.id, ids))
  const stored = new Map(rows.map((row) => [row.id, row]))
  return streams.flatMap(({ order, result }) => {
    const row = result.messageId ? stored.get(result.messageId) : undefined
    if (row?.status === 'complete' && row.content === textOf(order)) return []
    return `${writeOrder(order)} → ${row?.status ?? 'нет'}, ${row?.content.length ?? 0} букв; ${result.failure ?? 'пришло всё'}`
  })
}

/** What does not add up in the books, in words. */
export async function ledgerProblems(db: Db): Promise<string[]> {
  return (await reconcile(db)).map(({ rule, userId, details }) => `${rule}: ${userId} ${details}`)
}
