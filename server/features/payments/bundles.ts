import { and, asc, eq, isNull } from 'drizzle-orm'
import type { BundleChange, TokenBundle } from '#contract/plans.ts'
import type { Db } from '#server/db/client.ts'
import { putInOrder } from '#server/db/positions.ts'
import { bundles } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'

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

export async function createBundle(db: Db, draft: Omit<TokenBundle, 'id'>): Promise<TokenBundle> {
  const bundle = { id: newId(), ...draft }
  await db.insert(bundles).values(bundle)
  return bundle
}

/** Orders remember what they were for in their own words, so a bundle may change under them. */
export async function changeBundle({ db }: Ctx, id: string, change: BundleChange): Promise<TokenBundle> {
  const [bundle] = await db
    .update(bundles)
    .set({ ...change, id })
    .where(kept(id))
    .returning()
  if (!bundle) throw notFound('Такого пакета нет')
  return bundle
}

export async function reorderBundles(ctx: Ctx, ids: string[]): Promise<TokenBundle[]> {
  await putInOrder(ctx.db, bundles, ids, isNull(bundles.deletedAt))
  return listBundles(ctx)
}

export async function deleteBundle({ db }: Ctx, id: string): Promise<TokenBundle> {
  const [bundle] = await db.update(bundles).set({ active: false, deletedAt: new Date() }).where(kept(id)).returning()
  if (!bundle) throw notFound('Такого пакета нет')
  return bundle
}

const kept = (id: string) => and(eq(bundles.id, id), isNull(bundles.deletedAt))
