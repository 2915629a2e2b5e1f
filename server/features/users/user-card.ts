import { asc, desc, eq, sql } from 'drizzle-orm'
import type { UserCard } from '#contract/users-admin.ts'
import type { Db } from '#server/db/client.ts'
import { accounts, consents, ledger, plans, planVersions, subscriptions, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { grantsOf } from '../billing/balance.ts'
import { singleSubscription } from '../billing/single-subscription.ts'
import { findGiftRejection } from '../billing/start-gift.ts'
import { readEntries } from '../billing/transactions.ts'
import { ordersOf } from '../payments/orders.ts'
import { countsOf } from './counts.ts'
import { monthSpent, totalSpent } from './spent.ts'
import { isAdmin, isBanned } from './user-filter.ts'

const OPERATIONS = 10
const ORDERS = 20

/** Everything about somebody but his words. */
export async function readCard({ db }: Ctx, id: string): Promise<UserCard> {
  const person = await readPerson(db, id)
  return {
    ...person,
    providers: await providersOf(db, id),
    SingleSubscription: await singleSubscription(db, id),
    giftRejection: await giftRejectionOf(db, id),
    grants: await grantsOf(db, id),
    spent: { month: (await monthSpent(db, [id])).get(id) ?? 0, total: await totalSpent(db, id) },
    operations: await readEntries(db, eq(ledger.userId, id), OPERATIONS),
    orders: await ordersOf(db, id, ORDERS),
    subscriptions: await subscriptionsOf(db, id),
    consents: await consentsOf(db, id),
    counts: await countsOf(db, id),
  }
}

export async function giftRejectionOf(db: Db, userId: string): Promise<UserCard['giftRejection']> {
  const rejection = await findGiftRejection(db, userId)
  if (!rejection) return null
  const { reason, symbols, createdAt } = rejection
  return { reason, symbols, createdAt: createdAt.toISOString() }
}

export async function readPerson(db: Db, id: string) {
  const [user] = await db
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      image: users.image,
      emailVerified: users.emailVerified,
      isAdmin: sql<boolean>`${isAdmin}`,
      banned: sql<boolean>`${isBanned()}`,
      banReason: users.banReason,
      banExpires: users.banExpires,
      createdAt: users.createdAt,
      lastSeenAt: users.lastSeenAt,
    })
    .from(users)
    .where(eq(users.id, id))
  if (!user) throw notFound('Такого пользователя нет')
  const { isAdmin: admin, ...person } = user
  return {
    ...person,
    role: admin ? ('admin' as const) : ('user' as const),
    banExpires: user.banExpires?.toISOString() ?? null,
    createdAt: user.createdAt.toISOString(),
    lastSeenAt: user.lastSeenAt.toISOString(),
  }
}

export async function providersOf(db: Db, userId: string): Promise<UserCard['providers']> {
  const rows = await db
    .select({ providerId: accounts.providerId, createdAt: accounts.createdAt })
    .from(accounts)
    .where(eq(accounts.userId, userId))
    .orderBy(asc(accounts.createdAt))
  return rows.map(({ providerId, createdAt }) => ({ providerId, createdAt: createdAt.toISOString() }))
}

export async function subscriptionsOf(db: Db, userId: string): Promise<UserCard['subscriptions']> {
  const rows = await db
    .select({
      id: subscriptions.id,
      planId: plans.id,
      planName: plans.name,
      amount: planVersions.price,
      currency: planVersions.currency,
      state: subscriptions.state,
      activeTo: subscriptions.activeTo,
      renewAt: subscriptions.renewAt,
      cancelRequestedAt: subscriptions.cancelRequestedAt,
      createdAt: subscriptions.createdAt,
    })
    .from(subscriptions)
    .innerJoin(planVersions, eq(planVersions.id, subscriptions.planVersionId))
    .innerJoin(plans, eq(plans.id, planVersions.planId))
    .where(eq(subscriptions.userId, userId))
    .orderBy(desc(subscriptions.createdAt))
  return rows.map(({ planId, planName, amount, currency, ...row }) => ({
    ...row,
    plan: { id: planId, name: planName },
    price: { amount, currency },
    activeTo: row.activeTo?.toISOString() ?? null,
    renewAt: row.renewAt?.toISOString() ?? null,
    cancelRequestedAt: row.cancelRequestedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }))
}

export async function consentsOf(db: Db, userId: string): Promise<UserCard['consents']> {
  const rows = await db
    .select({
      id: consents.id,
      plan: plans.name,
      textVersion: consents.textVersion,
      ip: consents.ip,
      createdAt: consents.createdAt,
    })
    .from(consents)
    .innerJoin(planVersions, eq(planVersions.id, consents.planVersionId))
    .innerJoin(plans, eq(plans.id, planVersions.planId))
    .where(eq(consents.userId, userId))
    .orderBy(desc(consents.createdAt))
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}
