import { eq } from 'drizzle-orm'
import type { Db } from './client.ts'
import { users } from './schema.ts'

/** Until the end of the transaction: what parallel requests add must not exceed a limit together. */
export async function lockUser(tx: Db, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
}
