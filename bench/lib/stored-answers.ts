import { inArray } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { messages } from '#server/db/schema.ts'
import { reconcile } from '#server/features/billing/invariants.ts'
import { textOf, writeSpec } from './answer-spec.ts'
import type { Side } from './stream-levels.ts'

/** Answers whose stored text differs from what the model sent, as sentences. */
export async function wrongAnswers(db: Db, streams: Side['streams']): Promise<string[]> {
  const ids = streams.flatMap(({ result }) => result.messageId ?? [])
  const rows = await db.select().from(messages).where(inArray(messages.id, ids))
  const stored = new Map(rows.map((row) => [row.id, row]))
  return streams.flatMap(({ spec, result }) => {
    const row = result.messageId ? stored.get(result.messageId) : undefined
    if (row?.status === 'complete' && row.content === textOf(spec)) return []
    return `${writeSpec(spec)} → ${row?.status ?? 'нет'}, ${row?.content.length ?? 0} букв; ${result.failure ?? 'пришло всё'}`
  })
}

export async function ledgerProblems(db: Db): Promise<string[]> {
  return (await reconcile(db)).map(({ rule, userId, details }) => `${rule}: ${userId} ${details}`)
}
