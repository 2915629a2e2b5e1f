import { asc, desc, eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { UserCard } from '#contract/users-admin.ts'
import type { Db } from '#server/db/client.ts'
import { oneRowOf } from '#server/db/rows-of.ts'
import { accounts, consents, ledger, plans, planVersions, subscriptions, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { grantsOf, singleSubscription } from '../billing/balance.ts'
import { findGiftRejection } from '../billing/start-gift.ts'
import { ordersOf } from '../payments/orders.ts'
import { readEntries } from '../transactions/transactions.ts'
import { isAdmin, isBanned, monthSpent, totalSpent } from './user-list.ts'

const OPERATIONS = 10
const ORDERS = 20

/** What admins see of a user: everything but the texts. */
export async function readCard({ db }: Ctx, id: string): Promise<UserCard> {
  const account = await readAccount(db, id)
  return {
    ...account,
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

export async function readAccount(db: Db, id: string) {
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
  const { isAdmin: admin, ...account } = user
  return {
    ...account,
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

const number = z.coerce.number()
const Counts = z.object({
  threads: number,
  messages: number,
  files: number,
  fileBytes: number,
  images: number,
  imageBytes: number,
  recordings: number,
  recordingBytes: number,
  assistants: number,
  prompts: number,
  disputes: number,
  openDisputes: number,
})

/** Threads and prompts in the trash are counted too. */
export async function countsOf(db: Db, id: string): Promise<UserCard['counts']> {
  return oneRowOf(
    db,
    sql`
    select
      (select count(*) from threads where user_id = ${id}) as threads,
      (select count(*) from threads t join messages m on m.thread_id = t.id where t.user_id = ${id}) as messages,
      (select count(*) from files where user_id = ${id}) as files,
      (select coalesce(sum(bytes), 0) from files where user_id = ${id}) as "fileBytes",
      (select count(*) from images where user_id = ${id} and deleted_at is null) as images,
      (select coalesce(sum(bytes), 0) from images where user_id = ${id} and deleted_at is null) as "imageBytes",
      (select count(*) from transcriptions where user_id = ${id}) as recordings,
      (select coalesce(sum(received), 0) from transcriptions where user_id = ${id}) as "recordingBytes",
      (select count(*) from assistants where user_id = ${id}) as assistants,
      (select count(*) from prompts where user_id = ${id}) as prompts,
      (select count(*) from disputes where user_id = ${id}) as disputes,
      (select count(*) from disputes where user_id = ${id} and status = 'open') as "openDisputes"`,
    Counts,
  )
}
