import { eq, isNull } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { paymentEvents } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { type Finding, readFacts } from './notice-facts.ts'

/** Keeps what was refused although nobody sent it: learnt by asking, it must be seen by an administrator all the same. */
export async function keepRefused(db: Db, body: object, problem: string): Promise<void> {
  const { key: dedupeKey, refs } = readFacts(JSON.parse(JSON.stringify(body)))
  await db
    .insert(paymentEvents)
    .values({ id: newId(), dedupeKey, refs, body, problem })
    .onConflictDoUpdate({
      target: paymentEvents.dedupeKey,
      set: { problem },
      setWhere: isNull(paymentEvents.processedAt),
    })
}

/** Shows an administrator what we found out ourselves, once. */
export async function keepFinding(db: Db, body: Finding, problem: string): Promise<void> {
  const { key: dedupeKey, refs } = readFacts(body)
  await db
    .insert(paymentEvents)
    .values({ id: newId(), dedupeKey, refs, body, problem, processedAt: new Date() })
    .onConflictDoNothing()
}

/** What was found has passed by itself. */
export async function endFinding(db: Db, key: string): Promise<void> {
  await db.update(paymentEvents).set({ problem: null }).where(eq(paymentEvents.dedupeKey, key))
}
