import { and, asc, count, desc, eq, gt, gte, inArray, isNull, like, lt, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { UserQuery, UserRow, userSorts } from '#contract/users-admin.ts'
import { orderByClause } from '#server/db/admin-tables.ts'
import type { Db } from '#server/db/client.ts'
import {
  balances,
  giftRejections,
  ledger,
  liveSubscription,
  plans,
  planVersions,
  spendKinds,
  subscriptions,
  users,
} from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { CSV_PAGE, type CsvColumns, csvResponse } from '#server/lib/csv.ts'
import { dayOf, startOfDay, timeCell } from '../billing/days.ts'

const DAY_MS = 86_400_000

/** Symbols that can be spent. Expired grants count until the sweep writes them off, a few minutes later. */
const freeBalance = sql<number>`coalesce(${balances.total} - ${balances.held}, 0)`.mapWith(Number)

export const isBanned = (now: Date | SQL = new Date()) =>
  and(users.banned, or(isNull(users.banExpires), gt(users.banExpires, now))) as SQL

export const isAdmin = sql`is_acting_admin(${users.role}, false)`

/** A subscription that renews, or whose paid period is not over. */
function isCurrent(now = new Date()): SQL {
  const paid = or(liveSubscription(), gt(subscriptions.activeTo, now))
  return and(isNull(subscriptions.revokedAt), paid) as SQL
}

type UserFilter = Omit<UserQuery, 'page' | 'size' | 'sort'>

function matchUsers(filter: UserFilter, now = new Date()): SQL | undefined {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  return and(
    filter.query?.trim() ? matchText(filter.query.trim()) : undefined,
    filter.role && (filter.role === 'admin' ? isAdmin : not(isAdmin)),
    filter.banned && (filter.banned === 'true' ? isBanned(now) : not(isBanned(now))),
    filter.plan ? onPlan(filter.plan, now) : undefined,
    filter.gift && withoutGift,
    filter.balanceFrom === undefined ? undefined : gte(freeBalance, filter.balanceFrom),
    filter.balanceTo === undefined ? undefined : lte(freeBalance, filter.balanceTo),
    filter.activeDays === undefined ? undefined : gte(users.lastSeenAt, ago(filter.activeDays)),
    filter.idleDays === undefined ? undefined : lt(users.lastSeenAt, ago(filter.idleDays)),
    filter.from ? gte(users.createdAt, startOfDay(filter.from)) : undefined,
    filter.to ? lt(users.createdAt, startOfDay(filter.to, 1)) : undefined,
  )
}

const withoutGift = sql`exists (select from ${giftRejections}
  where ${giftRejections.userId} = ${users.id} and ${giftRejections.givenAt} is null)`

/** A part of the email or name, or the exact id. */
function matchText(text: string): SQL | undefined {
  const part = text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/[\\%_]/g, '\\$&')
  return or(eq(users.id, text), like(users.search, `%${part}%`))
}

function onPlan(plan: string, now: Date): SQL {
  const own = sql`${subscriptions.userId} = ${users.id} and ${isCurrent(now)}`
  if (plan === 'none') return sql`not exists (select from ${subscriptions} where ${own})`
  if (plan === 'any') return sql`exists (select from ${subscriptions} where ${own})`
  return sql`exists (select from ${subscriptions} join ${planVersions} on ${planVersions.id} = ${subscriptions.planVersionId}
    where ${own} and ${planVersions.planId} = ${plan})`
}

const HOUR_MS = 3_600_000
const isSpend = inArray(ledger.kind, [...spendKinds])
const sum = sql<number>`coalesce(-sum(${ledger.symbols}), 0)`.mapWith(Number)

export async function monthSpent(db: Db, ids: string[], now = new Date()): Promise<Map<string, number>> {
  const since = new Date(now.getTime() - 30 * DAY_MS)
  const first = ids.length > 0 ? await firstEntrySince(db, new Date(since.getTime() - HOUR_MS)) : null
  if (first === null) return new Map()
  const rows = await db
    .select({ userId: ledger.userId, symbols: sum })
    .from(ledger)
    .where(and(inArray(ledger.userId, ids), gte(ledger.id, first), gte(ledger.createdAt, since), isSpend))
    .groupBy(ledger.userId)
  return new Map(rows.map(({ userId, symbols }) => [userId, symbols]))
}

/** Ids grow with time, so a month is a range of the index on user and id. */
async function firstEntrySince(db: Db, since: Date): Promise<number | null> {
  const [entry] = await db
    .select({ id: ledger.id })
    .from(ledger)
    .where(gte(ledger.createdAt, since))
    .orderBy(ledger.createdAt)
    .limit(1)
  return entry?.id ?? null
}

export async function totalSpent(db: Db, userId: string): Promise<number> {
  const [row] = await db
    .select({ symbols: sum })
    .from(ledger)
    .where(and(eq(ledger.userId, userId), isSpend))
  return row?.symbols ?? 0
}

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

/** For a user with two current plans, the one that ends later. */
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

const columns: CsvColumns<UserRow> = {
  Номер: ({ id }) => id,
  Почта: ({ email }) => email,
  Имя: ({ name }) => name,
  Роль: ({ role }) => (role === 'admin' ? 'администратор' : 'пользователь'),
  Тариф: ({ plan }) => plan?.name ?? null,
  'Баланс, символов': ({ balance }) => balance,
  'Потрачено за 30 дней, символов': ({ spent }) => spent,
  'Пришёл (UTC+3)': ({ createdAt }) => timeCell(createdAt),
  'Был здесь (UTC+3)': ({ lastSeenAt }) => timeCell(lastSeenAt),
  Заблокирован: ({ banned }) => (banned ? 'да' : 'нет'),
}

/** All users that match the filter, newest first. */
export function usersCsv({ db }: Ctx, { page: _, size: __, sort: ___, ...filter }: UserQuery): Promise<Response> {
  return csvResponse<UserRow>(`users-${dayOf(new Date())}`, columns, async (last) => {
    const where = and(matchUsers(filter), last && lt(users.id, last.id))
    return withPlans(db, await readRows(db, where).orderBy(desc(users.id)).limit(CSV_PAGE))
  })
}
