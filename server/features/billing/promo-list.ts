import { and, asc, count, desc, eq, gt, gte, isNotNull, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { PromoCode, PromoQuery, PromoState, promoSorts } from '#contract/promocodes.ts'
import { promoCodes } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import { type PromoCtx, shown } from './promo-codes.ts'
import { hashOf, normalised } from './promo-hash.ts'

const sortable: Record<(typeof promoSorts)[number], SQL> = {
  createdAt: sql`${promoCodes.createdAt}`,
  // What never ends ends last.
  expiresAt: sql`coalesce(${promoCodes.expiresAt}, 'infinity')`,
  hint: sql`${promoCodes.hint}`,
  symbols: sql`${promoCodes.symbols}`,
  discountPercent: sql`coalesce(${promoCodes.discountPercent}, 0)`,
  uses: sql`${promoCodes.uses}`,
}

export async function listPromoCodes(
  ctx: PromoCtx,
  { page, size, sort = '-createdAt', ...filter }: PromoQuery,
): Promise<{ items: PromoCode[]; total: number }> {
  const where = fitting(ctx, filter)
  const rows = await ctx.db
    .select()
    .from(promoCodes)
    .where(where)
    .orderBy(...ordered(sort))
    .limit(size)
    .offset((page - 1) * size)
  const [all] = await ctx.db.select({ total: count() }).from(promoCodes).where(where)
  return { items: rows.map(shown), total: all?.total ?? 0 }
}

type Filter = Omit<PromoQuery, 'page' | 'size' | 'sort'>

function fitting({ promoKey }: PromoCtx, { query, active, state, gives }: Filter): SQL | undefined {
  const gift = gt(promoCodes.symbols, 0)
  return and(
    active && eq(promoCodes.active, active === 'true'),
    state && inState(state, new Date()),
    gives && (gives === 'symbols' ? gift : not(gift)),
    query?.trim()
      ? or(eq(promoCodes.codeHash, hashOf(promoKey, query)), eq(promoCodes.hint, normalised(query)))
      : undefined,
  )
}

/** The database's side of `promoState` of the contract. */
function inState(state: PromoState, now: Date): SQL | undefined {
  const { active, deletedAt, startsAt, expiresAt, uses, maxUses } = promoCodes
  const isOn = and(isNull(deletedAt), active)
  const hasEnded = lte(expiresAt, now)
  const goesOn = or(isNull(expiresAt), gt(expiresAt, now))
  const isSpent = gte(uses, maxUses)
  const hasUses = or(isNull(maxUses), sql`${uses} < ${maxUses}`)
  const states: Record<PromoState, SQL | undefined> = {
    deleted: isNotNull(deletedAt),
    off: and(isNull(deletedAt), not(active)),
    ended: and(isOn, hasEnded),
    spent: and(isOn, goesOn, isSpent),
    waiting: and(isOn, goesOn, hasUses, gt(startsAt, now)),
    live: and(isOn, goesOn, hasUses, or(isNull(startsAt), lte(startsAt, now))),
  }
  return states[state]
}

function ordered(sort: string): SQL[] {
  const name = sort.replace(/^-/, '')
  const column = Object.entries(sortable).find(([key]) => key === name)?.[1]
  if (!column) throw new AppError('bad_request', `Поле sort: по «${name}» не сортируется`, { field: 'sort' })
  const direction = sort.startsWith('-') ? desc : asc
  return [direction(column), direction(promoCodes.id)]
}
