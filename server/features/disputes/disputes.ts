import { and, asc, count, desc, eq, ilike, or, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Dispute, DisputeDetails, DisputeQuery, DisputeReturn } from '#contract/disputes.ts'
import { profilePath } from '#contract/profile-sections.ts'
import type { Db } from '#server/db/client.ts'
import { disputes, ledger, messages, models, users } from '#server/db/schema.ts'
import { queueEmail } from '#server/email/outbox.ts'
import { disputeRefusedEmail, disputeReturnedEmail } from '#server/email/templates/payments.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { audit } from '../audit/audit.ts'
import { publishBalance } from '../billing/balance.ts'
import { grant } from '../billing/ledger.ts'
import { returnedBy, returnKey, toTransaction, withParts } from '../transactions/transactions.ts'

export const noSuchDispute = () => notFound('Такого обращения нет')

/** The oldest first by default. */
export async function listDisputes(
  { db }: Ctx,
  { page, size, sort = 'createdAt', ...filter }: DisputeQuery,
): Promise<{ items: Dispute[]; total: number }> {
  const where = matching(filter)
  const rows = await selectDisputes(db)
    .where(where)
    .orderBy(...ordered(sort))
    .limit(size)
    .offset((page - 1) * size)
  const [all] = await db
    .select({ total: count() })
    .from(disputes)
    .innerJoin(users, eq(users.id, disputes.userId))
    .where(where)
  return { items: rows.map(toDispute), total: all?.total ?? 0 }
}

export async function countWaiting({ db }: Ctx): Promise<{ count: number }> {
  return { count: await db.$count(disputes, eq(disputes.status, 'open')) }
}

/** With the sizes of the question and the answer; an administrator does not see the texts. */
export async function readDispute({ db }: Pick<Ctx, 'db'>, id: string): Promise<DisputeDetails> {
  const [row] = await selectDisputes(db).where(eq(disputes.id, id))
  if (!row) throw noSuchDispute()
  const { messageId, modelId } = row.entry
  const [message] = messageId
    ? await db.select({ status: messages.status }).from(messages).where(eq(messages.id, messageId))
    : []
  const [model] = modelId ? await db.select({ name: models.name }).from(models).where(eq(models.id, modelId)) : []
  const dispute = toDispute(row)
  const [entry = dispute.entry] = await withParts(db, [dispute.entry])
  return {
    ...dispute,
    entry,
    messageStatus: message?.status ?? null,
    model: model?.name ?? null,
  }
}

const decider = alias(users, 'decider')

function selectDisputes(db: Db) {
  const { id, email, name } = users
  return db
    .select({
      dispute: disputes,
      entry: ledger,
      user: { id, email, name },
      decidedBy: decider.email,
      returned: returnedBy,
    })
    .from(disputes)
    .innerJoin(ledger, eq(ledger.id, disputes.entryId))
    .innerJoin(users, eq(users.id, disputes.userId))
    .leftJoin(decider, eq(decider.id, disputes.decidedBy))
}

type DisputeRow = Awaited<ReturnType<typeof selectDisputes>>[number]

function toDispute({ dispute, entry, user, decidedBy, returned }: DisputeRow): Dispute {
  const { id, status, reason, answer, createdAt, decidedAt } = dispute
  return {
    id,
    status,
    reason,
    answer,
    returned: returned === null ? null : Number(returned),
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
    decidedBy,
    user,
    entry: toTransaction({ entry, dispute, returned }),
  }
}

function matching({ status, query }: Pick<DisputeQuery, 'status' | 'query'>): SQL | undefined {
  const text = query?.trim()
  const pattern = `%${text?.replace(/[\\%_]/g, '\\$&')}%`
  return and(
    status && eq(disputes.status, status),
    text ? or(...[users.email, users.name, disputes.reason].map((column) => ilike(column, pattern))) : undefined,
  )
}

function ordered(sort: string): SQL[] {
  const direction = sort.startsWith('-') ? desc : asc
  const back = sort.startsWith('-') ? asc : desc
  const name = sort.replace(/^-/, '')
  if (name === 'createdAt') return [direction(disputes.createdAt), direction(disputes.id)]
  // Charges are negative, so the order is reversed.
  if (name === 'symbols') return [back(ledger.symbols), direction(disputes.id)]
  throw new AppError('bad_request', `По «${name}» список не упорядочить.`, { field: 'sort' })
}

export interface EmailDeps {
  appName: string
  appUrl: string
}

/** Returns the charge or a part of it. A second decision is a conflict. */
export async function returnDisputed(
  ctx: Ctx,
  deps: EmailDeps,
  id: string,
  { symbols: requested, answer }: DisputeReturn,
): Promise<DisputeDetails> {
  return ctx.db.transaction(async (tx) => {
    const { charged, userId } = await lockOpen(tx, id)
    const symbols = requested ?? charged
    if (symbols > charged) {
      throw new AppError('bad_request', `Списано было ${charged}, больше вернуть нельзя`, {
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
  return { to: user.email, appName, url: appUrl + profilePath('operations'), chargedAt, answer }
}
