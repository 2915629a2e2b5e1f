import { and, asc, count, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { UserQuery, UserRow, userSorts } from '#contract/users-admin.ts'
import { orderByClause } from '#server/db/admin-tables.ts'
import type { Db } from '#server/db/client.ts'
import { balances, plans, planVersions, subscriptions, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { csvHead, csvHeaders, csvLine } from '#server/lib/csv.ts'
import { dayOf, inShift } from '../billing/days.ts'
import { monthSpent } from './spent.ts'
import { freeBalance, isAdmin, isBanned, isCurrent, matchUsers, type UserFilter } from './user-filter.ts'

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
  const where = matchUsers(filter)
  const rows = await readRows(db, where)
    .orderBy(...orderByClause(sort, sortable, users.id))
    .limit(size)
    .offset((page - 1) * size)
  return { items: await withPlans(db, rows), total: await countUsers(db, filter) }
}

/** Users with a smaller id, newest first. Keyset pages, so that new users do not shift them. */
export async function usersBefore(db: Db, filter: UserFilter, before: string | null, limit: number) {
  const where = and(matchUsers(filter), before === null ? undefined : lt(users.id, before))
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

/** Of two current plans the one that ends later. */
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

/** Joins balances only when the filter needs them. */
async function countUsers(db: Db, filter: UserFilter): Promise<number> {
  const counting = db.select({ total: count() }).from(users).where(matchUsers(filter)).$dynamic()
  const needsBalance = filter.balanceFrom !== undefined || filter.balanceTo !== undefined
  const [all] = await (needsBalance ? counting.leftJoin(balances, eq(balances.userId, users.id)) : counting)
  return all?.total ?? 0
}

const PAGE = 500

const columns: Record<string, (row: UserRow) => string | number | null> = {
  Номер: ({ id }) => id,
  Почта: ({ email }) => email,
  Имя: ({ name }) => name,
  Роль: ({ role }) => (role === 'admin' ? 'администратор' : 'пользователь'),
  Тариф: ({ plan }) => plan?.name ?? null,
  'Баланс, символов': ({ balance }) => balance,
  'Потрачено за 30 дней, символов': ({ spent }) => spent,
  'Пришёл (UTC+3)': ({ createdAt }) => wallClock(createdAt),
  'Был здесь (UTC+3)': ({ lastSeenAt }) => wallClock(lastSeenAt),
  Заблокирован: ({ banned }) => (banned ? 'да' : 'нет'),
}

/** All users that match the filter, newest first, streamed page by page. */
export async function usersCsv({ db }: Ctx, { page: _, size: __, sort: ___, ...filter }: UserQuery): Promise<Response> {
  // Read before the response starts, so that an error can still change its status.
  const first = await usersBefore(db, filter, null, PAGE)

  async function* lines(): AsyncGenerator<string> {
    yield csvHead(Object.keys(columns)) + first.map(lineOf).join('')
    let rows = first
    while (rows.length === PAGE) {
      rows = await usersBefore(db, filter, rows.at(-1)?.id ?? null, PAGE)
      yield rows.map(lineOf).join('')
    }
  }

  return new Response(ReadableStream.from(lines()).pipeThrough(new TextEncoderStream()), {
    headers: csvHeaders(`users-${dayOf(new Date())}`),
  })
}

const lineOf = (row: UserRow) => csvLine(Object.values(columns).map((cell) => cell(row)))
const wallClock = (iso: string) => inShift(new Date(iso)).replace('T', ' ')
