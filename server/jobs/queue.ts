import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'

const Counts = z.object({
  waiting: z.coerce.number(),
  running: z.coerce.number(),
  failed: z.coerce.number(),
  oldest: z.nullable(z.coerce.date()),
})
export type Queue = z.infer<typeof Counts>

/** What waits, what runs, what failed for good within a day. The job library's own work is left out. */
export async function readQueue(db: Db): Promise<Queue> {
  const { rows: known } = (await db.execute(sql`select to_regclass('jobs.job') is not null as known`)) as unknown as {
    rows: { known: boolean }[]
  }
  if (!known[0]?.known) return { waiting: 0, running: 0, failed: 0, oldest: null }
  const { rows } = (await db.execute(sql`
    select count(*) filter (where due) as waiting, count(*) filter (where state = 'active') as running,
      count(*) filter (where state = 'failed' and completed_on > now() - interval '1 day') as failed,
      min(start_after) filter (where due) as oldest
    from (select state, completed_on, start_after, state in ('created', 'retry') and start_after <= now() as due
          from jobs.job where name not like '\\_\\_pgboss%') as j`)) as unknown as { rows: unknown[] }
  return Counts.parse(rows[0])
}
