import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { instances } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'

/** Registers an instance without a heartbeat; it lives until the test ends it. */
export async function registerInstance(db: Db): Promise<{ id: string }> {
  const id = newId()
  await db.insert(instances).values({ id, name: 'test' })
  return { id }
}

export async function endInstance(db: Db, id: string): Promise<void> {
  await db.update(instances).set({ endedAt: sql`now()` }).where(eq(instances.id, id))
}
