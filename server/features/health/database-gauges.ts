import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { holds, messages, paymentEvents, statNotes } from '#server/db/schema.ts'
import type { DatabaseGauge, DatabaseGauges } from '#server/http/metrics.ts'
import { orphaned } from '#server/work/instance.ts'

/** Each query returns one number by an index. A failed one is left out of the metrics. */
const queries: Record<DatabaseGauge, ReturnType<typeof sql>> = {
  holds_stale: sql`
    select count(*) as value from ${holds}
    where ${holds.state} = 'active' and ${holds.createdAt} < now() - interval '1 minute'
      and (${holds.leaseUntil} < now() or ${orphaned(holds.instance)})`,
  messages_streaming_stale: sql`
    select count(*) as value from ${messages}
    where ${messages.status} = 'streaming' and ${messages.createdAt} < now() - interval '1 minute'
      and ${orphaned(messages.instance)}`,
  jobs_oldest_seconds: sql`
    select coalesce(extract(epoch from now() - min(start_after)), 0) as value from jobs.job
    where state in ('created', 'retry') and start_after < now()`,
  ledger_problems: sql`
    select (${statNotes.value}->>'problems')::int as value from ${statNotes} where ${statNotes.name} = 'books'`,
  ledger_checked_age_seconds: sql`
    select extract(epoch from now() - ${statNotes.at}) as value from ${statNotes} where ${statNotes.name} = 'books'`,
  payment_events_odd: sql`
    select count(*) as value from ${paymentEvents}
    where (${paymentEvents.orphan} or ${paymentEvents.problem} is not null or ${paymentEvents.processedAt} is null)
      and ${paymentEvents.resolvedAt} is null and ${paymentEvents.receivedAt} < now() - interval '1 minute'`,
}

export async function databaseGauges(db: Db): Promise<DatabaseGauges> {
  const figures: DatabaseGauges = {}
  for (const [name, query] of Object.entries(queries) as [DatabaseGauge, (typeof queries)[DatabaseGauge]][]) {
    const value = await db.execute(query).then(numberIn, () => null)
    if (value !== null) figures[name] = value
  }
  return figures
}

function numberIn(result: unknown): number | null {
  const [row] = (result as { rows: { value: unknown }[] }).rows
  return row === undefined || row.value === null ? null : Number(row.value)
}
