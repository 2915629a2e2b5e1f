import { and, eq, gt, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { orders, promoCodes, promoUses } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Limits } from '#server/http/limits.ts'
import { AppError } from '#server/lib/errors.ts'
import { audit } from '../audit/audit.ts'
import { publishBalance, singleSubscription } from '../billing/balance.ts'
import { trackEvent } from '../billing/events.ts'
import { claimOncePerPerson, hasPersonClaimed } from '../billing/identity-hashes.ts'
import { grant } from '../billing/ledger.ts'
import { reachableUserId } from '../users/users.ts'
import { hashPromoCode, type PromoCtx, type PromoKeys } from './promocodes.ts'

type PromoRow = typeof promoCodes.$inferSelect

export async function applyPromocode(ctx: PromoCtx, limits: Limits, id: string, code: string) {
  const userId = await reachableUserId(ctx, id)
  await limitGuesses(limits, ctx, () => redeem(ctx, userId, code))
  return { id: userId, SingleSubscription: await singleSubscription(ctx.db, userId) }
}

/** Each attempt is counted before it is made, so parallel ones count too; a successful one is uncounted. */
export async function limitGuesses<T>(limits: Limits, { user, ip }: Ctx, attempt: () => Promise<T>): Promise<T> {
  const counted = [
    ['promo-user', user.id],
    ['promo-ip', ip],
  ] as const
  for (const [limit, key] of counted) await limits(limit, key)
  const result = await attempt()
  for (const [limit, key] of counted) await limits(limit, key, 'give back')
  return result
}

async function redeem(ctx: PromoCtx, userId: string, code: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const promo = await usablePromo({ ...ctx, db: tx }, userId, code)
    if (promo.symbols === 0) throw codeRejection('Этот код даёт скидку: введите его при оформлении подписки')
    await countCodeUse(tx, promo.id, userId, null)
    if (!(await claimOncePerPerson(tx, ctx.identityKey, userId, `promo:${promo.id}`))) throw codeRejection(ALREADY_USED)
    const { id: promoId, symbols, hint } = promo
    await grant(tx, {
      key: `promo:${promoId}:${userId}`,
      userId,
      kind: 'promo',
      symbols,
      note: `Промокод …${hint}`,
    })
    await trackEvent(tx, 'Промокод применён', userId, { promoId, symbols })
    if (userId !== ctx.user.id) {
      await audit(ctx, { action: 'promo.apply', kind: 'user', target: userId, after: { hint, symbols } })
    }
    publishBalance(ctx, userId)
  })
}

/** Unknown, switched off and not yet valid codes give the same error, so that guessing reveals nothing. */
export async function usablePromo(
  { db, promoKey, identityKey }: PromoKeys & { db: Db },
  userId: string,
  code: string,
): Promise<PromoRow> {
  const now = new Date()
  const [promo] = await db
    .select()
    .from(promoCodes)
    .where(eq(promoCodes.codeHash, hashPromoCode(promoKey, code)))
  if (!promo?.active || (promo.startsAt && promo.startsAt > now)) {
    throw new AppError('bad_request', 'Код недействителен', { field: 'code' })
  }
  if (promo.expiresAt && promo.expiresAt <= now) throw codeRejection('Срок действия кода закончился')
  if (promo.firstPurchaseOnly && (await hasBought(db, identityKey, userId)))
    throw codeRejection('Код только для первой покупки')
  return promo
}

/** The limit is checked in the same update, so parallel requests cannot exceed it. */
export async function countCodeUse(tx: Db, id: string, userId: string, orderId: string | null): Promise<void> {
  const [use] = await tx
    .insert(promoUses)
    .values({ promoId: id, userId, orderId })
    .onConflictDoNothing()
    .returning({ promoId: promoUses.promoId })
  if (!use) throw codeRejection(ALREADY_USED)
  const now = new Date()
  const [counted] = await tx
    .update(promoCodes)
    .set({ uses: sql`${promoCodes.uses} + 1` })
    .where(
      and(
        eq(promoCodes.id, id),
        promoCodes.active,
        or(isNull(promoCodes.maxUses), lt(promoCodes.uses, promoCodes.maxUses)),
        or(isNull(promoCodes.expiresAt), gt(promoCodes.expiresAt, now)),
      ),
    )
    .returning({ id: promoCodes.id })
  if (!counted) throw codeRejection('Этот код уже использован')
}

async function hasBought(db: Db, identityKey: Buffer, userId: string): Promise<boolean> {
  return (await hasPaidOrder(db, userId)) || (await hasPersonClaimed(db, identityKey, userId, 'purchase'))
}

export async function hasPaidOrder(db: Db, userId: string): Promise<boolean> {
  const [paid] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.userId, userId), isNotNull(orders.paidAt)))
    .limit(1)
  return paid !== undefined
}

export const ALREADY_USED = 'Вы уже применили этот код'

export const codeRejection = (message: string) => new AppError('conflict', message, { field: 'code' })
