import { and, asc, eq, isNull } from 'drizzle-orm'
import type { BundleChange, TokenBundle } from '#contract/plans.ts'
import type { Db } from '#server/db/client.ts'
import { putInOrder } from '#server/db/positions.ts'
import { bundles } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { audit, namesBeforeAfter } from '../audit/audit.ts'

export async function listBundles({ db, user }: Ctx): Promise<TokenBundle[]> {
  return db
    .select()
    .from(bundles)
    .where(and(isNull(bundles.deletedAt), user.role === 'admin' ? undefined : bundles.active))
    .orderBy(asc(bundles.position), asc(bundles.createdAt), asc(bundles.id))
}

export async function bundleForSale(db: Db, id: string): Promise<TokenBundle> {
  const [bundle] = await db
    .select()
    .from(bundles)
    .where(and(kept(id), bundles.active))
  if (!bundle) throw notFound('Такого пакета нет в продаже')
  return bundle
}

export async function addBundle(ctx: Ctx, draft: Omit<TokenBundle, 'id'>): Promise<TokenBundle> {
  return ctx.db.transaction(async (tx) => {
    const bundle = await createBundle(tx, draft)
    await audit(ctx, { action: 'bundle.create', kind: 'bundle', target: bundle.id, after: bundle })
    return bundle
  })
}

export async function createBundle(db: Db, draft: Omit<TokenBundle, 'id'>): Promise<TokenBundle> {
  const bundle = { id: newId(), ...draft }
  await db.insert(bundles).values(bundle)
  return bundle
}

/** Orders remember what they were for in their own words, so a bundle may change under them. */
export async function changeBundle(ctx: Ctx, id: string, change: BundleChange): Promise<TokenBundle> {
  return ctx.db.transaction(async (tx) => {
    const before = await lockBundle(tx, id)
    const [after] = await tx
      .update(bundles)
      .set({ ...change, id })
      .where(kept(id))
      .returning()
    await audit(ctx, { action: 'bundle.change', kind: 'bundle', target: id, before, after })
    return after ?? before
  })
}

async function lockBundle(tx: Db, id: string) {
  const [bundle] = await tx.select().from(bundles).where(kept(id)).for('update')
  if (!bundle) throw notFound('Такого пакета нет')
  return bundle
}

export async function reorderBundles(ctx: Ctx, ids: string[]): Promise<TokenBundle[]> {
  return ctx.db.transaction(async (tx) => {
    const before = await listBundles({ ...ctx, db: tx })
    await putInOrder(tx, bundles, ids, isNull(bundles.deletedAt))
    const after = await listBundles({ ...ctx, db: tx })
    await audit(ctx, { action: 'bundle.order', kind: 'bundle', target: null, ...namesBeforeAfter(before, after) })
    return after
  })
}

export async function deleteBundle(ctx: Ctx, id: string): Promise<TokenBundle> {
  return ctx.db.transaction(async (tx) => {
    const bundle = await lockBundle(tx, id)
    await tx.update(bundles).set({ active: false, deletedAt: new Date() }).where(kept(id))
    const { id: _, createdAt: __, deletedAt: ___, ...before } = bundle
    await audit(ctx, { action: 'bundle.delete', kind: 'bundle', target: id, before })
    return { ...bundle, active: false }
  })
}

const kept = (id: string) => and(eq(bundles.id, id), isNull(bundles.deletedAt))
