import { eq } from 'drizzle-orm'
import { users } from '#server/db/schema.ts'
import { sendLater } from '#server/email/background.ts'
import { factorAddedEmail, factorRemovedEmail } from '#server/email/templates/second-factor.ts'
import type { AuthDeps, Caller, Factor } from '../deps.ts'

/** Tells the owner by email, and whoever keeps records, that a factor came or went. */
export function factorNotices(deps: AuthDeps) {
  async function changed(action: 'added' | 'removed', userId: string, factor: Factor, caller?: Caller) {
    const [user] = await deps.db.select({ email: users.email }).from(users).where(eq(users.id, userId))
    if (!user) return
    const write = action === 'added' ? factorAddedEmail : factorRemovedEmail
    sendLater(deps, write({ to: user.email, appName: deps.appName, appUrl: deps.appUrl, factor }))
    // A reset by an administrator is recorded as that administrator's act.
    if (caller) await deps.onFactorChange?.({ action, userId, factor, ...caller })
  }
  return {
    added: (userId: string, factor: Factor, caller: Caller) => changed('added', userId, factor, caller),
    removed: (userId: string, factor: Factor, caller?: Caller) => changed('removed', userId, factor, caller),
  }
}

export type FactorNotices = ReturnType<typeof factorNotices>
