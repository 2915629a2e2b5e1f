import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { and, desc, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import { payMethods, type SavedMethod } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { liveSubscription, paymentMethods, subscriptions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { keyFor } from '#server/lib/secrets.ts'
import { GatewayError, type GatewayMethod } from '#server/payments/gateway.ts'
import { type PaymentDeps, profileUrl, publishProfile, rejectImpersonator } from './deps.ts'

/** What may be charged without the payer. One is active; a removed one stays as a record without its token. */

export type MethodRow = typeof paymentMethods.$inferSelect

/** A new method has to be confirmed within this time. */
const CONFIRM_MS = 3_600_000

export const methodKeyOf = (secret: string) => keyFor(secret, 'saved payment methods').toString('base64url')

const isActive = (userId: string) =>
  and(eq(paymentMethods.userId, userId), isNotNull(paymentMethods.activeAt), isNull(paymentMethods.removedAt))

export async function activeMethod(db: Db, userId: string): Promise<MethodRow | null> {
  const [row] = await db.select().from(paymentMethods).where(isActive(userId))
  return row ?? null
}

export async function readToken({ methodKey }: PaymentDeps, { token }: MethodRow): Promise<string | null> {
  return token && symmetricDecrypt({ key: methodKey, data: token })
}

export async function saveMethod(tx: Db, deps: PaymentDeps, userId: string, method: GatewayMethod): Promise<void> {
  await removeMethod(tx, userId, 'replaced')
  await tx.insert(paymentMethods).values({
    ...{ id: newId(), gateway: 'yookassa', userId, kind: method.kind, activeAt: new Date() },
    token: await symmetricEncrypt({ key: deps.methodKey, data: method.token }),
    ...{ last4: method.last_4 ?? null, brand: method.brand ?? null },
  })
}

type RemovedBy = 'payer' | 'replaced' | 'revoked'

/** False when there was none. */
export async function removeMethod(db: Db, userId: string, removedBy: RemovedBy): Promise<boolean> {
  const removed = await db
    .update(paymentMethods)
    .set({ token: null, removedAt: new Date(), removedBy })
    .where(isActive(userId))
    .returning({ id: paymentMethods.id })
  return removed.length > 0
}

/** Without a payment: the payer confirms the new method at the bank, and only then it replaces the old one. */
export async function bindMethod(ctx: Ctx, deps: PaymentDeps, kind: 'bank_card' | 'sbp') {
  rejectImpersonator(ctx)
  const shop = deps.shops.yookassa
  if (!shop?.methods.includes(kind)) throw new AppError('conflict', 'Такой способ оплаты сохранить нельзя.')
  const { db, user, ip } = ctx
  const id = newId()
  const returnUrl = `${profileUrl(deps)}?method=${id}`
  const page = await shop.gateway.bindMethod({ kind, requestId: id, returnUrl, ip })
  const createdAt = new Date()
  const token = await symmetricEncrypt({ key: deps.methodKey, data: page.token })
  await db.insert(paymentMethods).values({ id, gateway: 'yookassa', userId: user.id, kind, token, createdAt })
  const expiresAt = new Date(createdAt.getTime() + CONFIRM_MS).toISOString()
  return { redirect_url: page.redirect_url, qr: page.qr ? { text: page.qr, expiresAt } : null }
}

async function unconfirmed(db: Db, userId: string): Promise<MethodRow | null> {
  const { activeAt, removedAt, createdAt } = paymentMethods
  const isOpen = and(isNull(activeAt), isNull(removedAt), gt(createdAt, new Date(Date.now() - CONFIRM_MS)))
  const [row] = await db
    .select()
    .from(paymentMethods)
    .where(and(eq(paymentMethods.userId, userId), isOpen))
    .orderBy(desc(createdAt))
    .limit(1)
  return row ?? null
}

/** Asks the gateway about a new method; a silent one leaves it unconfirmed. */
export async function confirmMethod(deps: PaymentDeps, userId: string): Promise<boolean> {
  const waiting = await unconfirmed(deps.db, userId)
  const token = waiting && (await readToken(deps, waiting))
  if (!token || !deps.shops.yookassa) return false
  try {
    const method = await deps.shops.yookassa.gateway.boundMethod(token)
    if (method) await activate(deps, waiting, method)
    return method === null
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return true
  }
}

async function activate(deps: PaymentDeps, { id, userId }: MethodRow, method: GatewayMethod): Promise<void> {
  if (!userId) return
  await deps.db.transaction(async (tx) => {
    const [waiting] = await tx.select().from(paymentMethods).where(eq(paymentMethods.id, id)).for('update')
    if (!waiting || waiting.activeAt || waiting.removedAt) return
    await removeMethod(tx, userId, 'replaced')
    const card = { last4: method.last_4 ?? null, brand: method.brand ?? null }
    await tx
      .update(paymentMethods)
      .set({ activeAt: new Date(), kind: method.kind, ...card })
      .where(eq(paymentMethods.id, id))
    await tx
      .update(subscriptions)
      .set({ cardLast4: card.last4, cardBrand: card.brand, cardRemovedAt: null })
      .where(and(eq(subscriptions.userId, userId), eq(subscriptions.gateway, 'yookassa'), liveSubscription()))
    publishProfile(deps, userId)
  })
}

export async function readMethod({ db, user }: Ctx, deps: PaymentDeps) {
  const isConfirming = await confirmMethod(deps, user.id)
  // A method that is left from before must not hide the card that is charged.
  const card = await cardOf(db, user.id)
  const row = card ? null : await activeMethod(db, user.id)
  const bindable = (['bank_card', 'sbp'] as const).filter((kind) => deps.shops.yookassa?.methods.includes(kind))
  return { method: row ? toMethod(row) : card, isConfirming, canBindTo: card ? [] : bindable }
}

function toMethod({ kind, last4, brand, activeAt, createdAt }: MethodRow): SavedMethod {
  const known = payMethods.find((name) => name === kind) ?? 'other'
  return { kind: known, last4, brand, savedAt: (activeAt ?? createdAt).toISOString() }
}

/** bePaid keeps the card of a subscription itself. */
async function cardOf(db: Db, userId: string): Promise<SavedMethod | null> {
  const own = and(eq(subscriptions.userId, userId), eq(subscriptions.gateway, 'bepaid'), liveSubscription())
  const [row] = await db
    .select()
    .from(subscriptions)
    .where(and(own, isNotNull(subscriptions.cardLast4)))
  if (!row) return null
  const { cardLast4: last4, cardBrand: brand, createdAt } = row
  return { kind: 'bank_card', last4, brand, savedAt: createdAt.toISOString() }
}
