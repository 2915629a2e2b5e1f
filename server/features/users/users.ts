import { and, eq, exists, not } from 'drizzle-orm'
import { DEFAULT_NAME_PROMPT, isPersonalField, type Profile, type ProfileChange } from '#contract/users.ts'
import type { Db } from '#server/db/client.ts'
import { giftRejections, models, projects, settings, users } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { audit } from '../audit/audit.ts'
import { singleSubscription } from '../billing/balance.ts'
import { isOpenRejection } from '../billing/start-gift.ts'
import { firstVisibleModelId } from '../models/models.ts'

/** Creates the settings of a new user. Idempotent. */
export async function ensureProfile(db: Db, userId: string): Promise<void> {
  await db
    .insert(settings)
    .values({ userId, threadModel: await firstVisibleModelId(db), threadGptNamePrompt: DEFAULT_NAME_PROMPT })
    .onConflictDoNothing()
}

export async function readProfile(ctx: Ctx, id: string): Promise<Profile> {
  const [row] = await ctx.db
    .select({
      user: users,
      settings,
      rejection: giftRejections.reason,
      hasProjects: exists(
        ctx.db.select({ id: projects.id }).from(projects).where(eq(projects.userId, users.id)),
      ).mapWith(Boolean),
      openProjects: ctx.db.$count(projects, and(eq(projects.userId, users.id), not(projects.archived))),
    })
    .from(users)
    .innerJoin(settings, eq(settings.userId, users.id))
    .leftJoin(giftRejections, isOpenRejection(users.id))
    .where(eq(users.id, ownOrAnyIfAdmin(ctx, id)))
  if (!row) throw notFound('Такого пользователя нет')
  const { userId, ...own } = row.settings
  // The texts are for their owner and for models only; admins do not see those of other users.
  const Settings = userId === ctx.user.id ? own : { ...own, personalAbout: '', personalStyle: '', maskedNames: [] }
  return {
    id: row.user.id,
    email: row.user.email,
    name: row.user.name,
    image: row.user.image,
    emailVerified: row.user.emailVerified,
    role: row.user.role.split(',').includes('admin') ? 'admin' : 'user',
    createdAt: row.user.createdAt.toISOString(),
    Settings,
    SingleSubscription: await singleSubscription(ctx.db, row.user.id),
    giftRejection: row.rejection,
    ...(userId === ctx.user.id && row.hasProjects && { hasProjects: true, openProjects: row.openProjects }),
  }
}

export async function changeProfile(ctx: Ctx, id: string, change: ProfileChange): Promise<Profile> {
  const userId = ownOrAnyIfAdmin(ctx, id)
  const { Settings, ...own } = change
  if (userId !== ctx.user.id && Settings && Object.keys(Settings).some(isPersonalField)) {
    throw new AppError(
      'forbidden',
      'Инструкции человека и то, что он скрывает от моделей, меняет только он сам. Уберите их из запроса.',
      {
        field: 'Settings',
      },
    )
  }
  return ctx.db.transaction(async (tx) => {
    const before = userId === ctx.user.id ? null : await readProfile({ ...ctx, db: tx }, userId)
    if (Object.keys(own).length > 0) {
      await tx
        .update(users)
        .set({ ...own, updatedAt: new Date() })
        .where(eq(users.id, userId))
    }
    if (Settings && Object.keys(Settings).length > 0) {
      if (typeof Settings.threadModel === 'string') await assertModelExists(tx, Settings.threadModel)
      await tx.update(settings).set(Settings).where(eq(settings.userId, userId))
    }
    const profile = await readProfile({ ...ctx, db: tx }, userId)
    if (before) {
      await audit(ctx, {
        action: 'user.change',
        kind: 'user',
        target: userId,
        before: auditedFields(before),
        after: auditedFields(profile),
      })
    }
    afterCommit(() => ctx.publish(userId, { topic: 'profile', type: 'changed', data: null }))
    return profile
  })
}

/** A hidden model is allowed: chats use another one until it is visible again. */
async function assertModelExists(db: Db, id: string): Promise<void> {
  const [model] = await db.select({ id: models.id }).from(models).where(eq(models.id, id))
  if (!model) throw notFound('Такой модели нет')
}

const auditedFields = ({ Settings, SingleSubscription: _, hasProjects: __, openProjects: ___, ...own }: Profile) => ({
  ...own,
  ...Settings,
})

/** The id, if the user exists and the caller may act for it. */
export async function reachableUserId(ctx: Ctx, id: string): Promise<string> {
  const [user] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(eq(users.id, ownOrAnyIfAdmin(ctx, id)))
  if (!user) throw notFound('Такого пользователя нет')
  return user.id
}

/** Returns '' (matches no row) for another user's id, unless the caller is an admin. */
function ownOrAnyIfAdmin({ user }: Ctx, id: string): string {
  return id === user.id || user.role === 'admin' ? id : ''
}
