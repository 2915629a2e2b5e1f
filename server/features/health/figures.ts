import { stat } from 'node:fs/promises'
import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import {
  emailOutbox,
  holds,
  instances,
  jobRuns,
  messages,
  orders,
  paymentEvents,
  paymentProblems,
  statNotes,
  subscriptions,
} from '#server/db/schema.ts'
import { isProblemEvent } from '#server/db/tables/payments.ts'
import type { DatabaseGauge, DatabaseGauges } from '#server/http/metrics.ts'
import { isOwnerStale } from '#server/instances/instance.ts'
import { LEDGER_CHECK } from '../statistics/notes.ts'

const age = (moment: SQL) => sql`coalesce(extract(epoch from now() - ${moment}), 0)`
const noteAge = (name: string) =>
  sql`select extract(epoch from now() - ${statNotes.at}) as value from ${statNotes} where ${statNotes.name} = ${name}`
/** Requests in a row that the payment gateway did not answer. */
const UNANSWERED = 3
const unanswered = (table: typeof orders | typeof subscriptions) =>
  sql`(select count(*) from ${table} where ${table.checkAt} is not null and ${table.failedChecks} >= ${UNANSWERED})`

/** The stored name of the note that `npm run backup` leaves. */
export const BACKUP_NOTE = 'backup'

/** Each reads a few rows by an index and names its columns by the metric. A failed one is left out. */
const queries: SQL[] = [
  sql`
    select count(*) as holds_active, coalesce(sum(${holds.symbols}), 0) as holds_active_symbols,
      ${age(sql`min(${holds.createdAt})`)} as holds_oldest_seconds,
      count(*) filter (where ${holds.createdAt} < now() - interval '1 minute'
        and (${holds.leaseUntil} < now() or ${isOwnerStale(holds.instance)})) as holds_stale
    from ${holds} where ${holds.state} = 'active'`,
  sql`
    select count(*) as messages_streaming_stale from ${messages}
    where ${messages.status} = 'streaming' and ${messages.createdAt} < now() - interval '1 minute'
      and ${isOwnerStale(messages.instance)}`,
  sql`
    select ${age(sql`min(${jobRuns.nextAt})`)} as jobs_oldest_seconds from ${jobRuns}
    where ${jobRuns.nextAt} < now() and (${jobRuns.instance} is null or ${isOwnerStale(jobRuns.instance)})`,
  sql`
    select (${statNotes.value}->>'problems')::int as ledger_problems,
      extract(epoch from now() - ${statNotes.at}) as ledger_checked_age_seconds
    from ${statNotes} where ${statNotes.name} = ${LEDGER_CHECK}`,
  sql`
    select count(*) filter (where ${paymentEvents.receivedAt} < now() - interval '1 minute') + (
        select count(*) from ${paymentProblems} where ${paymentProblems.endedAt} is null
          and ${paymentProblems.resolvedAt} is null and ${paymentProblems.createdAt} < now() - interval '1 minute'
      ) as payment_events_odd,
      ${age(sql`min(${paymentEvents.receivedAt}) filter (where ${paymentEvents.processedAt} is null)`)}
        as payment_events_oldest_seconds
    from ${paymentEvents} where ${isProblemEvent()} and ${paymentEvents.resolvedAt} is null`,
  sql`select ${unanswered(orders)} + ${unanswered(subscriptions)} as gateway_unanswered`,
  sql`
    select count(*) as emails_waiting, ${age(sql`min(${emailOutbox.createdAt})`)} as emails_oldest_seconds
    from ${emailOutbox} where ${emailOutbox.sentAt} is null and ${emailOutbox.failedAt} is null`,
  sql`select value as backup_age_seconds from (${noteAge(BACKUP_NOTE)}) as note`,
  sql`select count(*) as instances_alive from ${instances} where ${instances.endedAt} is null`,
]

const Figures = z.record(z.string(), z.nullable(z.coerce.number()))

/** Figures that cannot be read are left out. The time of `backupMark` is that of an embedded database's last backup. */
export async function databaseGauges(db: Db, backupMark: string | null = null): Promise<DatabaseGauges> {
  const figures: DatabaseGauges = {}
  for (const query of queries) {
    const [row] = await rowsOf(db, query, Figures).catch(() => [])
    for (const [name, value] of Object.entries(row ?? {})) if (value !== null) figures[name as DatabaseGauge] = value
  }
  const mark = backupMark && (await stat(backupMark).catch(() => null))
  if (mark) figures.backup_age_seconds = Math.max(0, (Date.now() - mark.mtimeMs) / 1000)
  return figures
}
