import { createHmac, randomInt } from 'node:crypto'
import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { type PromoBatch, type PromoChange, type PromoCode, type PromoDraft, promoError } from '#contract/promocodes.ts'
import { promoCodes } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { IDENTITY_HASHES, keyFor } from '#server/lib/secrets.ts'
import { audit } from '../audit/audit.ts'

/** `promoKey` hashes codes, `identityKey` hashes the email addresses and provider accounts of a person. */
export interface PromoKeys {
  promoKey: Buffer
  identityKey: Buffer
}

export const promoKeys = (secret: string): PromoKeys => ({
  promoKey: keyFor(secret, 'promo codes'),
  identityKey: keyFor(secret, IDENTITY_HASHES),
})
export type PromoCtx = Ctx & PromoKeys
type PromoRow = typeof promoCodes.$inferSelect
type CreatedCode = PromoCode & { code: string }
type Terms = Omit<PromoDraft, 'code'>

export async function readPromoCode({ db }: Ctx, id: string): Promise<PromoCode> {
  const [row] = await db.select().from(promoCodes).where(eq(promoCodes.id, id))
  if (!row) throw notFound(NO_SUCH_CODE)
  return toPromoCode(row)
}

export async function createPromoCode(ctx: PromoCtx, { code, ...terms }: PromoDraft): Promise<CreatedCode> {
  return ctx.db.transaction(async (tx) => {
    const [created] = await insertCodes({ ...ctx, db: tx }, [normaliseCode(code)], terms)
    if (!created) throw new AppError('conflict', 'Такой код уже есть', { field: 'code' })
    await audit(ctx, {
      action: 'promo.create',
      kind: 'promo',
      target: created.id,
      after: { ...terms, hint: created.hint },
    })
    return created
  })
}

export async function createPromoBatch(ctx: PromoCtx, { count, prefix, ...terms }: PromoBatch): Promise<CreatedCode[]> {
  const codes = new Set<string>()
  while (codes.size < count) codes.add(randomCode(prefix))
  return ctx.db.transaction(async (tx) => {
    const made = await insertCodes({ ...ctx, db: tx }, [...codes], terms)
    await audit(ctx, {
      action: 'promo.batch',
      kind: 'promo',
      target: null,
      after: { count: made.length, prefix, ...terms },
    })
    return made
  })
}

async function insertCodes({ db, promoKey }: PromoCtx, codes: string[], terms: Terms): Promise<CreatedCode[]> {
  checkTerms(terms)
  const codeOf = new Map(codes.map((code) => [hashPromoCode(promoKey, code), code]))
  const rows = await db
    .insert(promoCodes)
    .values(
      [...codeOf].map(([codeHash, code]) => ({ id: newId(), codeHash, hint: hintOf(code), ...toStoredTerms(terms) })),
    )
    .onConflictDoNothing()
    .returning()
  return rows.map((row) => ({ ...toPromoCode(row), code: codeOf.get(row.codeHash) ?? '' }))
}

export async function changePromoCode(ctx: Ctx, id: string, change: PromoChange): Promise<PromoCode> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx.select().from(promoCodes).where(eq(promoCodes.id, id)).for('update')
    if (!row) throw notFound(NO_SUCH_CODE)
    if (row.deletedAt) throw new AppError('conflict', 'Промокод выключен насовсем')
    const { id: _, hint, uses, createdAt, deletedAt, ...terms } = { ...toPromoCode(row), ...change }
    checkTerms(terms)
    if (terms.maxUses !== null && terms.maxUses < uses) {
      throw new AppError('conflict', `Код применили уже ${uses} раз: меньше нельзя`, { field: 'maxUses' })
    }
    const [changed] = await tx.update(promoCodes).set(toStoredTerms(terms)).where(eq(promoCodes.id, id)).returning()
    const after = toPromoCode(changed ?? row)
    await audit(ctx, { action: 'promo.change', kind: 'promo', target: id, before: toPromoCode(row), after })
    return after
  })
}

/** Returns the codes that changed: an undo sets exactly those back. */
export async function setPromoCodesActive(ctx: Ctx, ids: string[], active: boolean): Promise<PromoCode[]> {
  return ctx.db.transaction(async (tx) => {
    const rows = await tx
      .update(promoCodes)
      .set({ active })
      .where(and(inArray(promoCodes.id, ids), isNull(promoCodes.deletedAt), ne(promoCodes.active, active)))
      .returning()
    const [only, ...others] = rows
    const target = only && others.length === 0 ? only.id : null
    const after = { hints: rows.map(({ hint }) => hint) }
    if (only) await audit(ctx, { action: active ? 'promo.on' : 'promo.off', kind: 'promo', target, after })
    return rows.map(toPromoCode)
  })
}

/** Switched off for good. The row stays, because ledger entries and orders refer to it. */
export async function deletePromoCode(ctx: Ctx, id: string): Promise<PromoCode> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(promoCodes)
      .set({ active: false, deletedAt: new Date() })
      .where(eq(promoCodes.id, id))
      .returning()
    if (!row) throw notFound(NO_SUCH_CODE)
    await audit(ctx, { action: 'promo.delete', kind: 'promo', target: id, before: { hint: row.hint, uses: row.uses } })
    return toPromoCode(row)
  })
}

const NO_SUCH_CODE = 'Такого промокода нет'

function checkTerms(terms: Terms): void {
  const error = promoError(terms)
  if (error) throw new AppError('bad_request', error.message, { field: error.field })
}

function toStoredTerms({ startsAt, expiresAt, ...terms }: Terms) {
  return { ...terms, startsAt: startsAt ? new Date(startsAt) : null, expiresAt: expiresAt ? new Date(expiresAt) : null }
}

export function toPromoCode({ codeHash: _, startsAt, expiresAt, createdAt, deletedAt, ...row }: PromoRow): PromoCode {
  return {
    ...row,
    startsAt: startsAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    deletedAt: deletedAt?.toISOString() ?? null,
  }
}

const HINT_LENGTH = 4
/** Without 0, O, 1, I and L, which are confused when a code is read aloud or copied. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const RANDOM_LENGTH = 12

/** The form in which codes are compared: case does not matter, different alphabets do. */
export function normaliseCode(code: string): string {
  return code.normalize('NFC').trim().toUpperCase()
}

/** Only the keyed hash is stored: without the key a leaked table does not reveal codes. */
export function hashPromoCode(promoKey: Buffer, code: string): string {
  return createHmac('sha256', promoKey).update(normaliseCode(code)).digest('hex')
}

/** The last characters, and never more than half of the code. */
function hintOf(code: string): string {
  const characters = [...normaliseCode(code)]
  return characters.slice(-Math.min(HINT_LENGTH, Math.floor(characters.length / 2))).join('')
}

function randomCode(prefix: string): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
  return normaliseCode(prefix) + random.join('')
}
