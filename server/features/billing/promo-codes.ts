import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { type PromoBatch, type PromoChange, type PromoCode, type PromoDraft, promoError } from '#contract/promocodes.ts'
import { promoCodes } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { audit } from '../audit/audit.ts'
import { hashOf, hintOf, normalised, randomCode } from './promo-hash.ts'

/** `promoKey` turns a code into what is stored of it, `personKey` a person into what is known again. */
export interface PromoKeys {
  promoKey: Buffer
  personKey: Buffer
}
export type PromoCtx = Ctx & PromoKeys
type PromoRow = typeof promoCodes.$inferSelect
type Fresh = PromoCode & { code: string }
type Terms = Omit<PromoDraft, 'code'>

export async function readPromoCode({ db }: Ctx, id: string): Promise<PromoCode> {
  const [row] = await db.select().from(promoCodes).where(eq(promoCodes.id, id))
  if (!row) throw notFound(NO_SUCH_CODE)
  return shown(row)
}

export async function createPromoCode(ctx: PromoCtx, { code, ...terms }: PromoDraft): Promise<Fresh> {
  return ctx.db.transaction(async (tx) => {
    const [fresh] = await insertCodes({ ...ctx, db: tx }, [normalised(code)], terms)
    if (!fresh) throw new AppError('conflict', 'Такой код уже есть', { field: 'code' })
    await audit(ctx, { action: 'promo.create', kind: 'promo', target: fresh.id, after: { ...terms, hint: fresh.hint } })
    return fresh
  })
}

export async function createPromoBatch(ctx: PromoCtx, { count, prefix, ...terms }: PromoBatch): Promise<Fresh[]> {
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

async function insertCodes({ db, promoKey }: PromoCtx, codes: string[], terms: Terms): Promise<Fresh[]> {
  checkTerms(terms)
  const codeOf = new Map(codes.map((code) => [hashOf(promoKey, code), code]))
  const rows = await db
    .insert(promoCodes)
    .values([...codeOf].map(([codeHash, code]) => ({ id: newId(), codeHash, hint: hintOf(code), ...stored(terms) })))
    .onConflictDoNothing()
    .returning()
  return rows.map((row) => ({ ...shown(row), code: codeOf.get(row.codeHash) ?? '' }))
}

export async function changePromoCode(ctx: Ctx, id: string, change: PromoChange): Promise<PromoCode> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx.select().from(promoCodes).where(eq(promoCodes.id, id)).for('update')
    if (!row) throw notFound(NO_SUCH_CODE)
    if (row.deletedAt) throw new AppError('conflict', 'Промокод выключен насовсем')
    const { id: _, hint, uses, createdAt, deletedAt, ...terms } = { ...shown(row), ...change }
    checkTerms(terms)
    if (terms.maxUses !== null && terms.maxUses < uses) {
      throw new AppError('conflict', `Код применили уже ${uses} раз: меньше нельзя`, { field: 'maxUses' })
    }
    const [changed] = await tx.update(promoCodes).set(stored(terms)).where(eq(promoCodes.id, id)).returning()
    const after = shown(changed ?? row)
    await audit(ctx, { action: 'promo.change', kind: 'promo', target: id, before: shown(row), after })
    return after
  })
}

/** Says which of them changed: to take it back, the same is done to those the other way round. */
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
    return rows.map(shown)
  })
}

/** Off for good. The row stays: it explains what was given. */
export async function deletePromoCode(ctx: Ctx, id: string): Promise<PromoCode> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(promoCodes)
      .set({ active: false, deletedAt: new Date() })
      .where(eq(promoCodes.id, id))
      .returning()
    if (!row) throw notFound(NO_SUCH_CODE)
    await audit(ctx, { action: 'promo.delete', kind: 'promo', target: id, before: { hint: row.hint, uses: row.uses } })
    return shown(row)
  })
}

const NO_SUCH_CODE = 'Такого промокода нет'

function checkTerms(terms: Terms): void {
  const kind = promoError(terms)
  if (kind) throw new AppError('bad_request', kind.message, { field: kind.field })
}

function stored({ startsAt, expiresAt, ...terms }: Terms) {
  return { ...terms, startsAt: startsAt ? new Date(startsAt) : null, expiresAt: expiresAt ? new Date(expiresAt) : null }
}

export function shown({ codeHash: _, startsAt, expiresAt, createdAt, deletedAt, ...row }: PromoRow): PromoCode {
  return {
    ...row,
    startsAt: startsAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    deletedAt: deletedAt?.toISOString() ?? null,
  }
}
