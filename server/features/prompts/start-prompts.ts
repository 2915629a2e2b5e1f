import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { promptSeeds, prompts } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { hashOf, type PromptSeed } from './seeds.ts'
import { rewrite } from './versions.ts'

/**
 * Brings the prompts of the product into the library at the start: new ones are published, those of an older build
 * are brought up to date. What somebody has changed stays so, what somebody has deleted stays away.
 */
export async function startPrompts(db: Db, seeds: readonly PromptSeed[]): Promise<void> {
  const now = Date.now()
  await db.transaction(async (tx) => {
    const known = new Map((await tx.select().from(promptSeeds)).map((seed) => [seed.key, seed]))
    for (const [i, seed] of seeds.entries()) {
      const before = known.get(seed.key)
      if (!before) await bring(tx, seed, newId(now - i))
      else if (before.promptId && before.hash !== hashOf(seed)) await renew(tx, seed, before.promptId, before.hash)
    }
  })
}

async function bring(tx: Db, { key, ...seed }: PromptSeed, id: string): Promise<void> {
  // Another instance may be starting too: whoever notes the key first brings the prompt.
  const noted = await tx
    .insert(promptSeeds)
    .values({ key, hash: hashOf(seed) })
    .onConflictDoNothing()
    .returning({ key: promptSeeds.key })
  if (noted.length === 0) return
  await tx.insert(prompts).values({ id, ...seed, published: true })
  await tx.update(promptSeeds).set({ promptId: id }).where(eq(promptSeeds.key, key))
}

async function renew(tx: Db, { key, position: _, ...seed }: PromptSeed, id: string, hash: string): Promise<void> {
  const [row] = await tx.select().from(prompts).where(eq(prompts.id, id)).for('update')
  if (!row || hashOf(row) !== hash) return
  await rewrite(tx, null, [{ id, ...seed }])
  await tx
    .update(promptSeeds)
    .set({ hash: hashOf(seed) })
    .where(eq(promptSeeds.key, key))
}
