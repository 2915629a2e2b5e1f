import { and, eq, gt, gte, isNull, like, lt, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { UserQuery } from '#contract/users-admin.ts'
import { balances, giftRejections, liveSubscription, planVersions, subscriptions, users } from '#server/db/schema.ts'
import { startOfDay } from '../billing/days.ts'

const DAY_MS = 86_400_000

/** Symbols that can be spent. Expired grants count until the sweep writes them off, a few minutes later. */
export const freeBalance = sql<number>`coalesce(${balances.total} - ${balances.held}, 0)`.mapWith(Number)

/** An expired ban does not count. */
export const isBanned = (now = new Date()) =>
  and(users.banned, or(isNull(users.banExpires), gt(users.banExpires, now))) as SQL

export const isAdmin = sql`is_acting_admin(${users.role}, false)`

/** A subscription that renews, or whose paid period is not over. */
export function isCurrent(now = new Date()): SQL {
  const paid = or(liveSubscription(), gt(subscriptions.activeTo, now))
  return and(isNull(subscriptions.revokedAt), paid) as SQL
}

export type UserFilter = Omit<UserQuery, 'page' | 'size' | 'sort'>

export function matchUsers(filter: UserFilter, now = new Date()): SQL | undefined {
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
