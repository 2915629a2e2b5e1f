import { eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { promptSeeds, prompts } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { hashTexts, type PromptSeed } from './seeds.ts'
import { writeTexts } from './versions.ts'

/**
 * Publishes the built-in prompts at the start and updates those of an older build. A prompt that was edited or
 * deleted is left alone.
 */
export async function startPrompts(db: Db, seeds: readonly PromptSeed[]): Promise<void> {
  const now = Date.now()
  await db.transaction(async (tx) => {
    const known = new Map((await tx.select().from(promptSeeds)).map((seed) => [seed.key, seed]))
    for (const [i, seed] of seeds.entries()) {
      const before = known.get(seed.key)
      if (!before) await insertSeed(tx, seed, newId(now - i))
      else if (before.promptId && before.hash !== hashTexts(seed))
        await updateSeed(tx, seed, before.promptId, before.hash)
    }
  })
}

async function insertSeed(tx: Db, { key, ...seed }: PromptSeed, id: string): Promise<void> {
  // Of several instances that start at once, the one that inserts the key adds the prompt.
  const inserted = await tx
    .insert(promptSeeds)
    .values({ key, hash: hashTexts(seed) })
    .onConflictDoNothing()
    .returning({ key: promptSeeds.key })
  if (inserted.length === 0) return
  await tx.insert(prompts).values({ id, ...seed, published: true })
  await tx.update(promptSeeds).set({ promptId: id }).where(eq(promptSeeds.key, key))
}

async function updateSeed(tx: Db, { key, position: _, ...seed }: PromptSeed, id: string, hash: string): Promise<void> {
  const [row] = await tx.select().from(prompts).where(eq(prompts.id, id)).for('update')
  if (!row || hashTexts(row) !== hash) return
  await writeTexts(tx, null, [{ id, ...seed }])
  await tx
    .update(promptSeeds)
    .set({ hash: hashTexts(seed) })
    .where(eq(promptSeeds.key, key))
}
