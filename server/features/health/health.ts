import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { holds, messages, paymentEvents, statNotes } from '#server/db/schema.ts'
import type { DatabaseGauge, DatabaseGauges } from '#server/http/metrics.ts'
import { orphaned } from '#server/work/instance.ts'

/** Whether this instance can take requests, and which services it works without. */
interface Readiness {
  /** Null when it is ready. */
  reason: 'draining' | 'database' | null
  /** Services that are down but not required, such as `redis`. */
  degraded: string[]
}

export interface Health {
  ready: () => Promise<Readiness>
  /** Registers a service: `degradedWhile('redis', () => !link.isUp())`. Called at every check, so it must be fast. */
  degradedWhile: (part: string, isDegraded: () => boolean) => void
  degraded: () => string[]
  /** From now on `ready` answers «draining», so that the load balancer stops sending requests. */
  drain: () => void
}

const DATABASE_MS = 1500
/** After this time a hanging query is abandoned, and the next check sends a new one. */
const ABANDON_MS = 10_000

/** `askDatabase` may hang: parallel checks share one query and wait for it for at most 1.5 s. */
export function createHealth(askDatabase: () => Promise<void>): Health {
  const parts = new Map<string, () => boolean>()
  let asking: { answered: Promise<boolean>; since: number } | null = null
  let isDraining = false

  function databaseAnswers(): Promise<boolean> {
    const now = performance.now()
    if (asking && now - asking.since < ABANDON_MS) return asking.answered
    const question = { answered: Promise.resolve(false), since: now }
    question.answered = askDatabase()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        if (asking === question) asking = null
      })
    asking = question
    return question.answered
  }

  const degraded = () => [...parts].filter(([, isDegraded]) => isDegraded()).map(([part]) => part)
  return {
    ready: async () => {
      if (isDraining) return { reason: 'draining', degraded: degraded() }
      const answers = await inTime(databaseAnswers(), DATABASE_MS)
      return { reason: answers ? null : 'database', degraded: degraded() }
    },
    degradedWhile: (part, isDegraded) => {
      parts.set(part, isDegraded)
    },
    degraded,
    drain: () => {
      isDraining = true
    },
  }
}

async function inTime(answer: Promise<boolean>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((done) => {
    timer = setTimeout(() => done(false), ms)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

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

const GaugeRow = z.object({ value: z.nullable(z.coerce.number()) })

export async function databaseGauges(db: Db): Promise<DatabaseGauges> {
  const figures: DatabaseGauges = {}
  for (const [name, query] of Object.entries(queries) as [DatabaseGauge, (typeof queries)[DatabaseGauge]][]) {
    const [row] = await rowsOf(db, query, GaugeRow).catch(() => [])
    if (row && row.value !== null) figures[name] = row.value
  }
  return figures
}
