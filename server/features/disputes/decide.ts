import { eq } from 'drizzle-orm'
import type { DisputeDetails, DisputeReturn } from '#contract/disputes.ts'
import type { Db } from '#server/db/client.ts'
import { disputes, ledger } from '#server/db/schema.ts'
import { queueEmail } from '#server/email/outbox.ts'
import { disputeRefusedEmail, disputeReturnedEmail } from '#server/email/templates/disputes.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { audit } from '../audit/audit.ts'
import { publishBalance } from '../billing/balance.ts'
import { grant } from '../billing/ledger.ts'
import { returnKey } from '../billing/transactions.ts'
import { noSuchDispute, readDispute } from './disputes.ts'

/** For the links and the subject of the emails. */
export interface EmailDeps {
  appName: string
  appUrl: string
}

/** Returns the charge or a part of it. A second decision is a conflict. */
export async function returnDisputed(
  ctx: Ctx,
  deps: EmailDeps,
  id: string,
  { symbols: asked, answer }: DisputeReturn,
): Promise<DisputeDetails> {
  return ctx.db.transaction(async (tx) => {
    const { charged, userId } = await lockOpen(tx, id)
    const symbols = asked ?? charged
    if (symbols > charged) {
      throw new AppError('bad_request', `Поле symbols: списано было ${charged}, больше вернуть нельзя`, {
        field: 'symbols',
      })
    }
    await grant(tx, { key: returnKey(id), userId, kind: 'refund', symbols, note: 'Возврат по оспоренному списанию' })
    const decided = await decide(ctx, tx, id, { status: 'returned', answer: answer || null })
    const { user, entry } = decided
    await audit(ctx, {
      action: 'dispute.return',
      kind: 'dispute',
      target: id,
      after: { user: user.email, operation: entry.id, charged, symbols },
      ...(answer ? { note: answer } : {}),
    })
    await queueEmail(tx, `dispute:${id}`, disputeReturnedEmail({ ...emailTo(deps, decided), charged, symbols }))
    return decided
  })
}

export async function rejectDisputed(ctx: Ctx, deps: EmailDeps, id: string, answer: string): Promise<DisputeDetails> {
  return ctx.db.transaction(async (tx) => {
    const { charged } = await lockOpen(tx, id)
    const decided = await decide(ctx, tx, id, { status: 'refused', answer })
    const { user, entry } = decided
    await audit(ctx, {
      action: 'dispute.refuse',
      kind: 'dispute',
      target: id,
      after: { user: user.email, operation: entry.id, charged },
      note: answer,
    })
    await queueEmail(tx, `dispute:${id}`, disputeRefusedEmail({ ...emailTo(deps, decided), charged }))
    return decided
  })
}

/** The row lock queues parallel decisions: only the first finds the dispute open. */
async function lockOpen(tx: Db, id: string): Promise<{ userId: string; charged: number }> {
  const [dispute] = await tx.select().from(disputes).where(eq(disputes.id, id)).for('update')
  if (!dispute) throw noSuchDispute()
  if (dispute.status !== 'open') {
    const decision = dispute.status === 'returned' ? 'символы возвращены' : 'в возврате отказано'
    throw new AppError('conflict', `Решение уже принято: ${decision}. Обновите страницу.`)
  }
  const [entry] = await tx.select({ symbols: ledger.symbols }).from(ledger).where(eq(ledger.id, dispute.entryId))
  return { userId: dispute.userId, charged: -(entry?.symbols ?? 0) }
}

interface Decision {
  status: 'returned' | 'refused'
  answer: string | null
}

async function decide(ctx: Ctx, tx: Db, id: string, decision: Decision): Promise<DisputeDetails> {
  const decidedAt = new Date()
  await tx
    .update(disputes)
    .set({ ...decision, decidedBy: ctx.user.id, decidedAt })
    .where(eq(disputes.id, id))
  const decided = await readDispute({ db: tx }, id)
  publishBalance(ctx, decided.user.id)
  return decided
}

function emailTo({ appName, appUrl }: EmailDeps, { user, answer, entry }: DisputeDetails) {
  const chargedAt = new Date(entry.createdAt)
  return { to: user.email, appName, url: `${appUrl}/profile#operations`, chargedAt, answer }
}
