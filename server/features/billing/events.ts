import type { Db } from '#server/db/client.ts'
import { events } from '#server/db/schema.ts'

/** Records an analytics event in the given transaction. The end of a balance is recorded by money.sql. */
export async function trackEvent(
  db: Db,
  event: string,
  userId: string | null,
  props: Record<string, unknown> = {},
): Promise<void> {
  await db.insert(events).values({ event, userId, props })
}
