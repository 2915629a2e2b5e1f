import { eq } from 'drizzle-orm'
import { users } from '#server/db/schema.ts'
import { sendLater } from '#server/mail/background.ts'
import { factorAddedLetter, factorRemovedLetter } from '#server/mail/letters/second-factor.ts'
import type { AuthWorld, Caller, Factor } from '../world.ts'

/** Tells the owner by email, and whoever keeps records, that a factor came or went. */
export function factorNotices(deps: AuthWorld) {
  async function changed(act: 'added' | 'removed', userId: string, factor: Factor, caller?: Caller) {
    const [user] = await deps.db.select({ email: users.email }).from(users).where(eq(users.id, userId))
    if (!user) return
    const write = act === 'added' ? factorAddedLetter : factorRemovedLetter
    sendLater(deps, write({ to: user.email, appName: deps.appName, appUrl: deps.appUrl, factor }))
    // A reset by an administrator is recorded as that administrator's act.
    if (caller) await deps.onFactorChange?.({ act, userId, factor, ...caller })
  }
  return {
    added: (userId: string, factor: Factor, caller: Caller) => changed('added', userId, factor, caller),
    removed: (userId: string, factor: Factor, caller?: Caller) => changed('removed', userId, factor, caller),
  }
}

export type FactorNotices = ReturnType<typeof factorNotices>
