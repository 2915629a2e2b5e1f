import { and, count, eq, gt } from 'drizzle-orm'
import * as z from 'zod/mini'
import { authAdminApi } from '#contract/auth-admin.ts'
import type { AuthDeps } from '#server/auth/auth.ts'
import type { WatchAdminCall } from '#server/auth/deps.ts'
import { hasRole } from '#server/auth/roles.ts'
import type { Db } from '#server/db/client.ts'
import { passkeys, sessions, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { newId } from '#server/lib/ids.ts'
import { type Actor, audit } from './audit.ts'

/** The audited calls of the sign-in library. The others only read. */
const actions: Record<string, string> = {
  [authAdminApi.createUser.path]: 'user.create',
  [authAdminApi.updateUser.path]: 'user.change',
  [authAdminApi.setRole.path]: 'user.role',
  [authAdminApi.setUserPassword.path]: 'user.password',
  [authAdminApi.resetSecondFactor.path]: 'user.factor_reset',
  [authAdminApi.banUser.path]: 'user.ban',
  [authAdminApi.unbanUser.path]: 'user.unban',
  [authAdminApi.removeUser.path]: 'user.delete',
  [authAdminApi.revokeUserSession.path]: 'user.end_session',
  [authAdminApi.revokeUserSessions.path]: 'user.end_sessions',
  [authAdminApi.impersonateUser.path]: 'user.impersonate',
  [authAdminApi.stopImpersonating.path]: 'user.impersonate_stop',
}

const Body = z.object({ userId: z.optional(z.coerce.string()), sessionToken: z.optional(z.string()) })
const Made = z.object({ user: z.object({ id: z.string() }) })

/** The library uses its own transactions, so the row is written after the call has succeeded. */
export const watchSignInActions: WatchAdminCall = async (ctx, path, body) => {
  const action = actions[path]
  if (!action) return async () => {}
  const named = Body.safeParse(body).data ?? {}
  const actor = await actorOf(ctx)
  const target = await targetOf(ctx, named)
  const before = target && (await stateOf(ctx.db, action, target))
  return async (answer) => {
    const id = target ?? Made.safeParse(answer).data?.user.id ?? null
    const after = id && (await stateOf(ctx.db, action, id))
    await audit(actor, { action, kind: 'user', target: id, before: before ?? undefined, after: after ?? undefined })
  }
}

/** In an impersonated session the actor is the admin. */
async function actorOf(ctx: Ctx): Promise<Actor> {
  const { impersonatedBy } = ctx.session
  if (!impersonatedBy) return ctx
  const [admin] = await ctx.db.select({ email: users.email }).from(users).where(eq(users.id, impersonatedBy))
  return { ...ctx, user: { id: impersonatedBy, email: admin?.email ?? impersonatedBy } }
}

async function targetOf(ctx: Ctx, { userId, sessionToken }: z.infer<typeof Body>): Promise<string | null> {
  if (userId !== undefined) return userId
  if (ctx.session.impersonatedBy) return ctx.user.id
  if (sessionToken === undefined) return null
  const [session] = await ctx.db
    .select({ userId: sessions.userId })
    .from(sessions)
    .where(eq(sessions.token, sessionToken))
  return session?.userId ?? null
}

/** The fields that the action may change; null for an unknown user. */
async function stateOf(db: Db, action: string, id: string) {
  if (action.startsWith('user.end_session')) return { sessions: await openSessions(db, id) }
  if (action.startsWith('user.impersonate') || action === 'user.password') return null
  if (action === 'user.factor_reset') return factorsOf(db, id)
  const { email, name, image, role, emailVerified, banned, banReason, banExpires } = users
  const columns = { email, name, image, role, emailVerified, banned, banReason, banExpires }
  const [user] = await db.select(columns).from(users).where(eq(users.id, id))
  return user ?? null
}

async function factorsOf(db: Db, userId: string) {
  const [user] = await db.select({ twoFactorEnabled: users.twoFactorEnabled }).from(users).where(eq(users.id, userId))
  return user ? { ...user, passkeys: await db.$count(passkeys, eq(passkeys.userId, userId)) } : null
}

async function openSessions(db: Db, userId: string): Promise<number> {
  const [found] = await db
    .select({ open: count() })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, new Date())))
  return found?.open ?? 0
}

type FactorChange = Parameters<NonNullable<AuthDeps['onFactorChange']>>[0]

/** Changes of an admin's own second factor are audited, because it protects admin actions. */
export async function auditFactorChange(
  db: Db,
  { action, userId, factor, ip, userAgent }: FactorChange,
): Promise<void> {
  const [user] = await db.select({ email: users.email, role: users.role }).from(users).where(eq(users.id, userId))
  if (!user || !hasRole(user.role, 'admin')) return
  const actor = { db, ip, request: { id: newId(), userAgent }, user: { id: userId, email: user.email } }
  const labels = { totp: 'Приложение с кодами', passkey: 'Ключ доступа', all: 'Все' }
  await audit(actor, { action: `user.factor_${action}`, kind: 'user', target: userId, note: labels[factor] })
}
