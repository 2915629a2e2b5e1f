import type { Db } from '#server/db/client.ts'
import { events } from '#server/db/schema.ts'

/** Notes what happened, as part of the transaction it is given. The end of a balance is noted by money.sql itself. */
export async function track(
  db: Db,
  event: string,
  userId: string | null,
  props: Record<string, unknown> = {},
): Promise<void> {
  await db.insert(events).values({ event, userId, props })
}
