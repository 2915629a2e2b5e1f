import { and, asc, count, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { UserQuery, UserRow, userSorts } from '#contract/users-admin.ts'
import type { Db } from '#server/db/client.ts'
import { balances, plans, planVersions, subscriptions, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { monthSpent } from './spent.ts'
import { fitting, freeBalance, isAdmin, isBanned, isCurrent, type UserFilter } from './user-filter.ts'

const sortable: Record<(typeof userSorts)[number], SQL> = {
  createdAt: sql`${users.createdAt}`,
  lastSeenAt: sql`${users.lastSeenAt}`,
  email: sql`${users.email}`,
  name: sql`${users.name}`,
  balance: freeBalance,
}

export async function listUsers(
  { db }: Pick<Ctx, 'db'>,
  { page, size, sort = '-createdAt', ...filter }: UserQuery,
): Promise<{ items: UserRow[]; total: number }> {
  const where = fitting(filter)
  const rows = await readRows(db, where)
    .orderBy(...ordered(sort))
    .limit(size)
    .offset((page - 1) * size)
  return { items: await withPlans(db, rows), total: await countUsers(db, filter) }
}

/** Those made before one of them, newest first: a walk that no new user shifts. */
export async function usersBefore(db: Db, filter: UserFilter, before: string | null, limit: number) {
  const where = and(fitting(filter), before === null ? undefined : lt(users.id, before))
  return withPlans(db, await readRows(db, where).orderBy(desc(users.id)).limit(limit))
}

function readRows(db: Db, where: SQL | undefined) {
  return db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      isAdmin: sql<boolean>`${isAdmin}`,
      banned: sql<boolean>`${isBanned()}`,
      createdAt: users.createdAt,
      lastSeenAt: users.lastSeenAt,
      balance: freeBalance,
    })
    .from(users)
    .leftJoin(balances, eq(balances.userId, users.id))
    .where(where)
    .$dynamic()
}

type Row = Awaited<ReturnType<typeof readRows>>[number]

async function withPlans(db: Db, rows: Row[]): Promise<UserRow[]> {
  const ids = rows.map(({ id }) => id)
  const plansOf = await currentPlans(db, ids)
  const spentBy = await monthSpent(db, ids)
  return rows.map(({ isAdmin: admin, createdAt, lastSeenAt, ...row }) => ({
    ...row,
    role: admin ? 'admin' : 'user',
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    plan: plansOf.get(row.id) ?? null,
    spent: spentBy.get(row.id) ?? 0,
  }))
}

/** Who has two at once for a while shows the one that lasts longer. */
async function currentPlans(db: Db, ids: string[]): Promise<Map<string, { id: string; name: string }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ userId: subscriptions.userId, id: plans.id, name: plans.name })
    .from(subscriptions)
    .innerJoin(planVersions, eq(planVersions.id, subscriptions.planVersionId))
    .innerJoin(plans, eq(plans.id, planVersions.planId))
    .where(and(inArray(subscriptions.userId, ids), isCurrent()))
    .orderBy(asc(subscriptions.activeTo))
  return new Map(rows.map(({ userId, ...plan }) => [userId ?? '', plan]))
}

/** The balance is looked up only where it decides. */
async function countUsers(db: Db, filter: UserFilter): Promise<number> {
  const counting = db.select({ total: count() }).from(users).where(fitting(filter)).$dynamic()
  const needsBalance = filter.balanceFrom !== undefined || filter.balanceTo !== undefined
  const [all] = await (needsBalance ? counting.leftJoin(balances, eq(balances.userId, users.id)) : counting)
  return all?.total ?? 0
}

function ordered(sort: string): SQL[] {
  const name = sort.replace(/^-/, '')
  const by = Object.entries(sortable).find(([known]) => known === name)?.[1]
  if (!by) throw new AppError('bad_request', 'Поле sort: так упорядочить нельзя', { field: 'sort' })
  const direction = sort.startsWith('-') ? desc : asc
  return [direction(by), direction(users.id)]
}
