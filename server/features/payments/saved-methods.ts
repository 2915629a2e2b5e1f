import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { and, asc, desc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { payMethods, type SavedMethod } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { liveSubscription, paymentMethods, subscriptions } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { runForEach } from '#server/lib/run-concurrently.ts'
import { keyFor } from '#server/lib/secrets.ts'
import { GatewayError, type GatewayMethod, isFinalRefusal } from '#server/payments/gateway.ts'
import { type PaymentDeps, profileUrl, publishProfile, rejectImpersonator } from './deps.ts'
import { lockSubscriber } from './orders.ts'
import { isForbidden, offerOf, rememberRefusal } from './shop-refusals.ts'

/** What may be charged without the payer. One is active; a removed one stays as a record without its token. */

export type MethodRow = typeof paymentMethods.$inferSelect

/** A new method has to be confirmed within this time. */
const CONFIRM_MS = 3_600_000
const MAX_ASKED = 3
const MAX_EXPIRED = 50

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

/** False when there was none. The payer also takes back what is not confirmed yet. */
export async function removeMethod(db: Db, userId: string, removedBy: RemovedBy): Promise<boolean> {
  const isLeft = and(eq(paymentMethods.userId, userId), isNull(paymentMethods.removedAt))
  const removed = await db
    .update(paymentMethods)
    .set({ token: null, removedAt: new Date(), removedBy })
    .where(removedBy === 'payer' ? isLeft : isActive(userId))
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
  const page = await shop.gateway.bindMethod({ kind, requestId: id, returnUrl, ip }).catch(async (error: unknown) => {
    if (!isForbidden(error)) throw error
    await rememberRefusal(deps, 'save', kind, error)
    throw new AppError('conflict', 'Сохранить этот способ нельзя: платёжная система не разрешает списаний с него.')
  })
  const createdAt = new Date()
  const token = await symmetricEncrypt({ key: deps.methodKey, data: page.token })
  await db.insert(paymentMethods).values({ id, gateway: 'yookassa', userId: user.id, kind, token, createdAt })
  const expiresAt = new Date(createdAt.getTime() + CONFIRM_MS).toISOString()
  return { redirect_url: page.redirect_url, qr: page.qr ? { text: page.qr, expiresAt } : null }
}

const isUnconfirmed = () => and(isNull(paymentMethods.activeAt), isNull(paymentMethods.removedAt))

/** Asks the gateway about new methods; true while one is not confirmed, also when the gateway is silent. */
export async function confirmMethods(deps: PaymentDeps, userId: string): Promise<boolean> {
  const { createdAt } = paymentMethods
  const isOpen = and(isUnconfirmed(), gt(createdAt, new Date(Date.now() - CONFIRM_MS)))
  const waiting = await deps.db
    .select()
    .from(paymentMethods)
    .where(and(eq(paymentMethods.userId, userId), isOpen))
    .orderBy(desc(createdAt))
    .limit(MAX_ASKED)
  let isConfirming = false
  for (const row of waiting) {
    try {
      if ((await confirm(deps, row)) === 'unconfirmed') isConfirming = true
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      return true
    }
  }
  return isConfirming
}

/** The payer may have opened several pages, so the one that was confirmed is looked for. */
export async function confirmByToken(deps: PaymentDeps, token: string): Promise<void> {
  const waiting = await deps.db.select().from(paymentMethods).where(isUnconfirmed())
  // Tokens are stored encrypted, so the few methods that wait are compared.
  for (const row of waiting) if ((await readToken(deps, row)) === token) await confirm(deps, row)
}

async function confirm(deps: PaymentDeps, row: MethodRow): Promise<'confirmed' | 'unconfirmed'> {
  const token = await readToken(deps, row)
  const method = token && deps.shops.yookassa ? await deps.shops.yookassa.gateway.boundMethod(token) : null
  if (!method) return 'unconfirmed'
  await activate(deps, row, method)
  return 'confirmed'
}

/** Methods that were not confirmed in time are forgotten, after a last question: the notification may be lost. */
export async function expireMethods(deps: PaymentDeps, now = new Date()): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const late = await deps.db
    .select()
    .from(paymentMethods)
    .where(and(isUnconfirmed(), lt(paymentMethods.createdAt, before(CONFIRM_MS))))
    .orderBy(asc(paymentMethods.createdAt))
    .limit(MAX_EXPIRED)
  await runForEach({ concurrency: 2, deadlineMs: 20_000, onBackground: deps.onBackground }, late, async (row) => {
    try {
      if ((await confirm(deps, row)) === 'confirmed') return
    } catch (error) {
      // A silent gateway is asked again for a day.
      if (row.createdAt > before(24 * CONFIRM_MS) && !isFinalRefusal(error)) return
    }
    await deps.db
      .update(paymentMethods)
      .set({ token: null, removedAt: now, removedBy: 'expired' })
      .where(and(eq(paymentMethods.id, row.id), isUnconfirmed()))
  })
}

async function activate(deps: PaymentDeps, { id, userId }: MethodRow, method: GatewayMethod): Promise<void> {
  if (!userId) return
  await deps.db.transaction(async (tx) => {
    await lockSubscriber(tx, userId)
    const [waiting] = await tx.select().from(paymentMethods).where(eq(paymentMethods.id, id)).for('update')
    if (!waiting || waiting.activeAt || waiting.removedAt) return
    const current = await activeMethod(tx, userId)
    const isIt = eq(paymentMethods.id, id)
    if (current && current.createdAt > waiting.createdAt) {
      // A method that was chosen later is in use already.
      await tx.update(paymentMethods).set({ token: null, removedAt: new Date(), removedBy: 'replaced' }).where(isIt)
      return
    }
    await removeMethod(tx, userId, 'replaced')
    const card = { last4: method.last_4 ?? null, brand: method.brand ?? null }
    await tx
      .update(paymentMethods)
      .set({ activeAt: new Date(), kind: method.kind, ...card })
      .where(isIt)
    await tx
      .update(subscriptions)
      .set({ cardLast4: card.last4, cardBrand: card.brand, cardRemovedAt: null })
      .where(and(eq(subscriptions.userId, userId), eq(subscriptions.gateway, 'yookassa'), liveSubscription()))
    await resumeUnsaved(tx, userId, card)
    publishProfile(deps, userId)
  })
}

/** The payer has agreed to renewals of a plan that had nothing to charge: now there is. */
async function resumeUnsaved(tx: Db, userId: string, { last4, brand }: Pick<MethodRow, 'last4' | 'brand'>) {
  const { activeTo, state, cancelRequestedAt } = subscriptions
  const [latest] = await tx
    .select({ id: subscriptions.id, isLive: sql<boolean>`(${liveSubscription()})` })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), gt(activeTo, new Date())))
    .orderBy(desc(sql`(${liveSubscription()})`), desc(activeTo))
    .limit(1)
  if (!latest || latest.isLive) return
  await tx
    .update(subscriptions)
    .set({
      state: 'active',
      renewAt: sql`${activeTo}`,
      checkAt: sql`${activeTo}`,
      cardLast4: last4,
      cardBrand: brand,
      cardRemovedAt: null,
    })
    .where(and(eq(subscriptions.id, latest.id), eq(state, 'unsaved'), isNull(cancelRequestedAt)))
}

export async function readMethod({ db, user }: Ctx, deps: PaymentDeps) {
  const isConfirming = await confirmMethods(deps, user.id)
  // A method that is left from before must not hide the card that is charged.
  const card = await cardOf(db, user.id)
  const row = card ? null : await activeMethod(db, user.id)
  const shop = deps.shops.yookassa
  const offer = shop && (await offerOf(deps, shop))
  const savable = offer ? offer.methods.filter((kind) => !offer.once.includes(kind)) : []
  const bindable = (['bank_card', 'sbp'] as const).filter((kind) => savable.includes(kind))
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
