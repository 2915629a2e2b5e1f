import { and, count, desc, eq, gt, gte, isNotNull, isNull, lte, not, or, type SQL, sql, sum } from 'drizzle-orm'
import {
  type PromoBatch,
  type PromoCode,
  type PromoQuery,
  type PromoState,
  type PromoStatistics,
  type promoSorts,
  promoState,
} from '#contract/promocodes.ts'
import { orderByClause } from '#server/db/admin-tables.ts'
import type { Db } from '#server/db/client.ts'
import { ledger, orders, planVersions, promoCodes, promoUses, users } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { CSV_PAGE, type CsvColumns, csvResponse } from '#server/lib/csv.ts'
import { dayOf } from '../billing/days.ts'
import {
  createPromoBatch,
  hashPromoCode,
  normaliseCode,
  type PromoCtx,
  readPromoCode,
  toPromoCode,
} from './promocodes.ts'

const sortable: Record<(typeof promoSorts)[number], SQL> = {
  createdAt: sql`${promoCodes.createdAt}`,
  // Codes without an end sort last.
  expiresAt: sql`coalesce(${promoCodes.expiresAt}, 'infinity')`,
  // Codes without a name sort last.
  name: sql`coalesce(nullif(lower(${promoCodes.name}), ''), chr(1114111))`,
  hint: sql`${promoCodes.hint}`,
  symbols: sql`${promoCodes.symbols}`,
  discountPercent: sql`coalesce(${promoCodes.discountPercent}, 0)`,
  uses: sql`${promoCodes.uses}`,
}

export async function listPromoCodes(
  ctx: PromoCtx,
  { page, size, sort = '-createdAt', ...filter }: PromoQuery,
): Promise<{ items: PromoCode[]; total: number }> {
  const where = matching(ctx, filter)
  const rows = await ctx.db
    .select()
    .from(promoCodes)
    .where(where)
    .orderBy(...orderByClause(sort, sortable, promoCodes.id))
    .limit(size)
    .offset((page - 1) * size)
  return { items: rows.map(toPromoCode), total: await ctx.db.$count(promoCodes, where) }
}

type Filter = Omit<PromoQuery, 'page' | 'size' | 'sort'>

function matching({ promoKey }: PromoCtx, { query, active, state, gives }: Filter): SQL | undefined {
  const gift = gt(promoCodes.symbols, 0)
  return and(
    active && eq(promoCodes.active, active === 'true'),
    state && inState(state, new Date()),
    gives && (gives === 'symbols' ? gift : not(gift)),
    query?.trim()
      ? or(
          eq(promoCodes.codeHash, hashPromoCode(promoKey, query)),
          eq(promoCodes.hint, normaliseCode(query)),
          sql`strpos(lower(${promoCodes.name}), ${query.trim().toLowerCase()}) > 0`,
        )
      : undefined,
  )
}

/** The same rules as `promoState` of the contract. */
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

const RECENT = 50

export async function promoStatistics(ctx: Ctx, id: string): Promise<PromoStatistics> {
  const { uses } = await readPromoCode(ctx, id)
  const paid = await paidWith(ctx.db, id)
  return {
    uses,
    symbols: await givenBy(ctx.db, id),
    orders: paid.reduce((all, { orders }) => all + orders, 0),
    revenue: paid.map(({ currency, revenue }) => ({ amount: Number(revenue), currency })),
    discount: paid.map(({ currency, discount }) => ({ amount: Number(discount), currency })),
    recent: await recentUses(ctx.db, id),
  }
}

/** The same as in `redeem`. */
const entryKey = sql`'promo:' || ${promoUses.promoId} || ':' || ${promoUses.userId}`

async function givenBy(db: Db, id: string): Promise<number> {
  const [given] = await db
    .select({ symbols: sum(ledger.symbols) })
    .from(promoUses)
    .innerJoin(ledger, eq(ledger.key, entryKey))
    .where(eq(promoUses.promoId, id))
  return Number(given?.symbols ?? 0)
}

async function paidWith(db: Db, id: string) {
  return db
    .select({
      currency: orders.currency,
      orders: count(),
      revenue: sql<string>`sum(${orders.amount} - ${orders.refundedAmount})`,
      discount: sql<string>`coalesce(sum(${planVersions.price} - ${orders.amount}), 0)`,
    })
    .from(orders)
    .leftJoin(planVersions, eq(planVersions.id, orders.planVersionId))
    .where(and(eq(orders.promoId, id), isNotNull(orders.paidAt)))
    .groupBy(orders.currency)
    .orderBy(orders.currency)
}

async function recentUses(db: Db, id: string): Promise<PromoStatistics['recent']> {
  const rows = await db
    .select({
      userId: promoUses.userId,
      email: users.email,
      at: promoUses.createdAt,
      symbols: ledger.symbols,
      amount: orders.amount,
      currency: orders.currency,
      status: orders.status,
    })
    .from(promoUses)
    .innerJoin(users, eq(users.id, promoUses.userId))
    .leftJoin(ledger, eq(ledger.key, entryKey))
    .leftJoin(orders, eq(orders.id, promoUses.orderId))
    .where(eq(promoUses.promoId, id))
    .orderBy(desc(promoUses.createdAt), desc(promoUses.userId))
    .limit(RECENT)
  return rows.map(({ at, amount, currency, status, ...use }) => ({
    ...use,
    at: at.toISOString(),
    order: amount !== null && currency !== null && status !== null ? { amount, currency, status } : null,
  }))
}

const fileName = () => `promocodes-${dayOf(new Date())}`

const terms: CsvColumns<PromoCode> = {
  Символы: (promo) => promo.symbols,
  'Скидка, %': (promo) => promo.discountPercent,
  'Сколько раз': (promo) => promo.maxUses,
  'Действует с': (promo) => promo.startsAt,
  'Действует до': (promo) => promo.expiresAt,
  'Только первая покупка': (promo) => (promo.firstPurchaseOnly ? 'да' : 'нет'),
}

const batchColumns: CsvColumns<PromoCode & { code: string }> = {
  Код: ({ code }) => code,
  ...terms,
  Название: ({ name }) => name,
}

/** The codes are never shown again. */
export async function promoBatchCsv(ctx: PromoCtx, batch: PromoBatch): Promise<Response> {
  const codes = await createPromoBatch(ctx, batch)
  return csvResponse(fileName(), batchColumns, async (last) => (last ? [] : codes))
}

const stateNames: Record<PromoState, string> = {
  live: 'действует',
  waiting: 'ещё не начался',
  ended: 'закончился',
  spent: 'израсходован',
  off: 'выключен',
  deleted: 'выключен насовсем',
}

/** Only the hint of each code is known. */
const tableColumns: CsvColumns<PromoCode> = {
  'Окончание кода': ({ hint }) => hint,
  Состояние: (promo) => stateNames[promoState(promo)],
  ...terms,
  Применили: ({ uses }) => uses,
  Создан: ({ createdAt }) => createdAt,
  Название: ({ name }) => name,
}

export function promoTableCsv(ctx: PromoCtx, query: PromoQuery): Promise<Response> {
  let page = 0
  return csvResponse(fileName(), tableColumns, async () => {
    page += 1
    return (await listPromoCodes(ctx, { ...query, page, size: CSV_PAGE })).items
  })
}
