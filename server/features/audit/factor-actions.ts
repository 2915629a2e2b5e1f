import { eq } from 'drizzle-orm'
import type { AuthDeps } from '#server/auth/auth.ts'
import { hasRole } from '#server/auth/roles.ts'
import type { Db } from '#server/db/client.ts'
import { users } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { audit } from './audit.ts'

type Change = Parameters<NonNullable<AuthDeps['onFactorChange']>>[0]

/** A second factor guards what administrators do, so theirs coming and going is among it. */
export async function auditFactorChange(db: Db, { action, userId, factor, ip, userAgent }: Change): Promise<void> {
  const [user] = await db.select({ email: users.email, role: users.role }).from(users).where(eq(users.id, userId))
  if (!user || !hasRole(user.role, 'admin')) return
  const actor = { db, ip, request: { id: newId(), userAgent }, user: { id: userId, email: user.email } }
  const words = { totp: 'Приложение с кодами', passkey: 'Ключ доступа', all: 'Все' }
  await audit(actor, { action: `user.factor_${action}`, kind: 'user', target: userId, note: words[factor] })
}
