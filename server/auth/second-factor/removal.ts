import { and, eq, like } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { passkeys, twoFactors, users, verifications } from '#server/db/schema.ts'

/** False when there was none. */
export async function removeTotp(db: Db, userId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const removed = await tx
      .delete(twoFactors)
      .where(eq(twoFactors.userId, userId))
      .returning({ on: twoFactors.verified })
    await tx.update(users).set({ twoFactorEnabled: false }).where(eq(users.id, userId))
    await forgetTrustedDevices(tx, userId)
    return removed.some(({ on }) => on)
  })
}

/** The app, its codes and all passkeys. */
export async function removeFactors(db: Db, userId: string): Promise<boolean> {
  const hadTotp = await removeTotp(db, userId)
  const removed = await db.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id })
  return hadTotp || removed.length > 0
}

/** Devices that were to be asked no more are asked again. */
export async function forgetTrustedDevices(db: Db, userId: string): Promise<void> {
  await db
    .delete(verifications)
    .where(and(like(verifications.identifier, 'trust-device-%'), eq(verifications.value, userId)))
}
