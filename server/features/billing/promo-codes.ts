import { and, asc, count, desc, eq, or } from 'drizzle-orm'
import type { TableQuery } from '#contract/paging.ts'
import type { PromoBatch, PromoChange, PromoCode, PromoDraft } from '#contract/promocodes.ts'
import { promoCodes } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { hashOf, hintOf, normalised, randomCode } from './promo-hash.ts'

/** `promoKey` turns a code into what is stored of it. */
export type PromoCtx = Ctx & { promoKey: Buffer }
type PromoRow = typeof promoCodes.$inferSelect
type Fresh = PromoCode & { code: string }
type Terms = Omit<PromoDraft, 'code'>

const sortable = {
  createdAt: promoCodes.createdAt,
  expiresAt: promoCodes.expiresAt,
  hint: promoCodes.hint,
  symbols: promoCodes.symbols,
  uses: promoCodes.uses,
}

export async function listPromoCodes(
  { db, promoKey }: PromoCtx,
  { page, size, sort = '-createdAt', query, active }: TableQuery & { active?: 'true' | 'false' | undefined },
): Promise<{ items: PromoCode[]; total: number }> {
  const where = and(
    active && eq(promoCodes.active, active === 'true'),
    query?.trim()
      ? or(eq(promoCodes.codeHash, hashOf(promoKey, query)), eq(promoCodes.hint, normalised(query)))
      : undefined,
  )
  const rows = await db
    .select()
    .from(promoCodes)
    .where(where)
    .orderBy(...ordered(sort))
    .limit(size)
    .offset((page - 1) * size)
  const [all] = await db.select({ total: count() }).from(promoCodes).where(where)
  return { items: rows.map(shown), total: all?.total ?? 0 }
}

export async function readPromoCode({ db }: Ctx, id: string): Promise<PromoCode> {
  const [row] = await db.select().from(promoCodes).where(eq(promoCodes.id, id))
  if (!row) throw notFound(NO_SUCH_CODE)
  return shown(row)
}

export async function createPromoCode(ctx: PromoCtx, { code, ...terms }: PromoDraft): Promise<Fresh> {
  const [fresh] = await insertCodes(ctx, [normalised(code)], terms)
  if (!fresh) throw new AppError('conflict', 'Такой код уже есть', { field: 'code' })
  return fresh
}

export async function createPromoBatch(ctx: PromoCtx, { count, prefix, ...terms }: PromoBatch): Promise<Fresh[]> {
  const codes = new Set<string>()
  while (codes.size < count) codes.add(randomCode(prefix))
  return insertCodes(ctx, [...codes], terms)
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

export async function changePromoCode({ db }: Ctx, id: string, change: PromoChange): Promise<PromoCode> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(promoCodes).where(eq(promoCodes.id, id)).for('update')
    if (!row) throw notFound(NO_SUCH_CODE)
    if (row.deletedAt) throw new AppError('conflict', 'Промокод выключен насовсем')
    const { id: _, hint, uses, createdAt, ...terms } = { ...shown(row), ...change }
    checkTerms(terms)
    if (terms.maxUses !== null && terms.maxUses < uses) {
      throw new AppError('conflict', `Код применили уже ${uses} раз: меньше нельзя`, { field: 'maxUses' })
    }
    const [changed] = await tx.update(promoCodes).set(stored(terms)).where(eq(promoCodes.id, id)).returning()
    return shown(changed ?? row)
  })
}

/** Off for good. The row stays: it explains what was given. */
export async function deletePromoCode({ db }: Ctx, id: string): Promise<PromoCode> {
  const [row] = await db
    .update(promoCodes)
    .set({ active: false, deletedAt: new Date() })
    .where(eq(promoCodes.id, id))
    .returning()
  if (!row) throw notFound(NO_SUCH_CODE)
  return shown(row)
}

const NO_SUCH_CODE = 'Такого промокода нет'

function checkTerms({ symbols, discountPercent, startsAt, expiresAt }: Terms): void {
  if (symbols > 0 === (discountPercent !== null)) {
    throw new AppError('bad_request', 'Код или добавляет символы, или даёт скидку: заполните одно из двух', {
      field: 'symbols',
    })
  }
  if (startsAt && expiresAt && Date.parse(startsAt) >= Date.parse(expiresAt)) {
    throw new AppError('bad_request', 'Код должен закончиться позже, чем начнётся', { field: 'expiresAt' })
  }
}

function ordered(sort: string) {
  const name = sort.replace(/^-/, '')
  const column = Object.entries(sortable).find(([key]) => key === name)?.[1]
  if (!column) throw new AppError('bad_request', `Поле sort: по «${name}» не сортируется`, { field: 'sort' })
  const direction = sort.startsWith('-') ? desc : asc
  return [direction(column), direction(promoCodes.id)]
}

function stored({ startsAt, expiresAt, ...terms }: Terms) {
  return { ...terms, startsAt: startsAt ? new Date(startsAt) : null, expiresAt: expiresAt ? new Date(expiresAt) : null }
}

function shown({ codeHash: _, deletedAt: __, startsAt, expiresAt, createdAt, ...row }: PromoRow): PromoCode {
  return {
    ...row,
    startsAt: startsAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
