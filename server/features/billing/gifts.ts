import { eq } from 'drizzle-orm'
import { START_GIFT } from '#contract/billing.ts'
import { profilePath } from '#contract/profile-sections.ts'
import type { Db } from '#server/db/client.ts'
import { ledger, users } from '#server/db/schema.ts'
import { queueEmail } from '#server/email/outbox.ts'
import { giftEmail } from '#server/email/templates/payments.ts'
import type { Ctx } from '#server/http/context.ts'
import { newId } from '#server/lib/ids.ts'
import { audit } from '../audit/audit.ts'
import { reachableUserId } from '../users/users.ts'
import { publishBalance, singleSubscription } from './balance.ts'
import { expireGrantsOf, grant, withdraw } from './ledger.ts'
import { endRejection } from './start-gift.ts'

interface Gift {
  symbols: number
  reason: string
  key?: string | undefined
}

interface EmailDeps {
  appName: string
  appUrl: string
}

/**
 * An admin adds symbols, or with a negative number takes back what is not held. The user sees the reason. Idempotent
 * by key, also between administrators.
 */
export async function giveGift(ctx: Ctx, deps: EmailDeps, id: string, { symbols, reason, key = newId() }: Gift) {
  const userId = await reachableUserId(ctx, id)
  return ctx.db.transaction(async (tx) => {
    const params = { key: `gift:${userId}:${key}`, userId, symbols: Math.abs(symbols), note: reason }
    // Locks the balance: of two requests with the same key the second finds the entry of the first.
    await expireGrantsOf(tx, userId)
    const [known] = await tx.select({ id: ledger.id }).from(ledger).where(eq(ledger.key, params.key))
    if (!known) {
      if (symbols > 0) await grant(tx, { ...params, kind: 'gift' })
      if (symbols > 0 && key === START_GIFT) await endRejection(tx, userId)
      const moved = symbols > 0 ? symbols : await withdraw(tx, params)
      const action = symbols > 0 ? 'user.gift' : 'user.take'
      await audit(ctx, { action, kind: 'user', target: userId, after: { symbols: moved }, note: reason })
      if (symbols > 0) await emailGift(tx, deps, { userId, symbols, reason, key: params.key })
      publishBalance(ctx, userId)
    }
    return { id: userId, SingleSubscription: await singleSubscription(tx, userId) }
  })
}

interface GivenGift {
  userId: string
  symbols: number
  reason: string
  key: string
}

async function emailGift(tx: Db, { appName, appUrl }: EmailDeps, { userId, symbols, reason, key }: GivenGift) {
  const [person] = await tx.select({ to: users.email }).from(users).where(eq(users.id, userId))
  const url = appUrl + profilePath('balance')
  if (person) await queueEmail(tx, key, giftEmail({ to: person.to, appName, url, symbols, reason }))
}
