import { eq } from 'drizzle-orm'
import type { ApiKey } from '#contract/api-keys.ts'
import { switchedOff, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { audit } from '../audit/audit.ts'
import { endKey, keysOf } from './api-keys.ts'
import { keysOff } from './find-key.ts'

interface Access {
  isOn: boolean
}

export async function readAccess({ db }: Ctx): Promise<Access> {
  return { isOn: (await keysOff(db)).length === 0 }
}

export async function setAccess(ctx: Ctx, { isOn }: Access): Promise<Access> {
  await ctx.db.transaction(async (tx) => {
    const part = 'api-keys' as const
    const changed = isOn
      ? await tx.delete(switchedOff).where(eq(switchedOff.part, part)).returning()
      : await tx.insert(switchedOff).values({ part }).onConflictDoNothing().returning()
    if (changed.length > 0)
      await audit({ ...ctx, db: tx }, { action: isOn ? 'keys.on' : 'keys.off', kind: 'keys', target: null })
  })
  return { isOn }
}

export async function keysOfUser({ db }: Ctx, userId: string): Promise<ApiKey[]> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.id, userId))
  if (!user) throw notFound('Такого пользователя нет')
  return keysOf(db, userId)
}

export async function endKeyOfUser(ctx: Ctx, userId: string, id: string): Promise<ApiKey> {
  return ctx.db.transaction(async (tx) => {
    const key = await endKey(tx, userId, id, 'admin')
    await audit(
      { ...ctx, db: tx },
      { action: 'user.end_key', kind: 'user', target: userId, note: `${key.prefix}…${key.lastFour}` },
    )
    return key
  })
}
