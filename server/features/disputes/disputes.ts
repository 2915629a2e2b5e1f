import { and, asc, count, desc, eq, ilike, or, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Dispute, DisputeDetails, DisputeQuery } from '#contract/disputes.ts'
import type { InputParts } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { disputes, ledger, messages, models, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { returnedBy, toTransaction } from '../billing/transactions.ts'

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
  const { messageId, modelId, input } = row.entry
  const [message] = messageId
    ? await db
        .select({ parts: messages.parts, status: messages.status })
        .from(messages)
        .where(eq(messages.id, messageId))
    : []
  const [model] = modelId ? await db.select({ name: models.name }).from(models).where(eq(models.id, modelId)) : []
  const parts = message?.parts ?? null
  return {
    ...toDispute(row),
    parts: parts && sumOf(parts) === input ? parts : null,
    messageStatus: message?.status ?? null,
    model: model?.name ?? null,
  }
}

const sumOf = ({ question, history, instructions, files }: InputParts) => question + history + instructions + files

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
  throw new AppError('bad_request', `Поле sort: по «${name}» не сортируется`, { field: 'sort' })
}
