import { and, eq } from 'drizzle-orm'
import type { Transaction } from '#contract/transactions.ts'
import { disputes, ledger } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { track } from './events.ts'
import { readEntries } from './transactions.ts'

/** Says that one's own charge is wrong. Somebody decides later; the ledger itself is never touched. */
export async function disputeEntry(ctx: Ctx, id: string, reason: string): Promise<Transaction> {
  const entryId = /^\d{1,15}$/.test(id) ? Number(id) : 0
  const userId = ctx.user.id
  return ctx.db.transaction(async (tx) => {
    const own = and(eq(ledger.id, entryId), eq(ledger.userId, userId))
    const [entry] = await readEntries(tx, own, 1)
    if (!entry) throw notFound('У вас нет такой операции')
    if (entry.symbols > 0) throw new AppError('bad_request', 'Оспорить можно только списание')
    const [made] = await tx
      .insert(disputes)
      .values({ id: newId(), entryId, userId, reason })
      .onConflictDoNothing()
      .returning({ id: disputes.id })
    if (!made) throw new AppError('conflict', 'Вы уже оспорили эту операцию')
    await track(tx, 'Списание оспорено', userId, { entryId })
    return {
      ...entry,
      disputed: true,
      dispute: { status: 'open' as const, reason, answer: null, returned: null, decidedAt: null },
    }
  })
}
