import { and, eq, isNull, like } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { paymentProblems } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'

export type ProblemRow = typeof paymentProblems.$inferSelect
/** Something that this server found by itself and an administrator has to decide. */
export type PaymentProblem = Omit<typeof paymentProblems.$inferInsert, 'id'>

/** Repeats of the same key change nothing. */
export async function storeProblem(db: Db, problem: PaymentProblem): Promise<void> {
  await db
    .insert(paymentProblems)
    .values({ id: newId(), ...problem })
    .onConflictDoNothing()
}

/** Problems whose key begins so are over. */
export async function endProblemsWith(db: Db, prefix: string): Promise<void> {
  const { key, endedAt } = paymentProblems
  await db
    .update(paymentProblems)
    .set({ endedAt: new Date() })
    .where(and(like(key, `${prefix}:%`), isNull(endedAt)))
}

/** The problems of this subscription are over and no longer wait for an administrator. */
export async function endProblemsOf(db: Db, subscriptionId: string): Promise<void> {
  const { endedAt } = paymentProblems
  await db
    .update(paymentProblems)
    .set({ endedAt: new Date() })
    .where(and(eq(paymentProblems.subscriptionId, subscriptionId), isNull(endedAt)))
}
