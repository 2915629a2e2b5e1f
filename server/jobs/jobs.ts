import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { oneRowOf } from '#server/db/rows-of.ts'
import { jobRuns } from '#server/db/schema.ts'
import { countJobError } from '#server/http/metrics.ts'
import { type Instance, isOwnerStale } from '#server/instances/instance.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import { createRunner } from '#server/instances/runner.ts'
import { noteWork } from '#server/lib/event-loop.ts'
import { nextTime } from './cron.ts'

/** Work by the clock. Only one instance does a run; a run may be repeated, so it must be safe to repeat. */
export interface Job {
  name: string
  /** To the minute, in UTC. */
  cron: string
  run: () => Promise<unknown>
  /** How long a run may take. A longer run, or one whose process died, is repeated. */
  limitSeconds?: number
}

export interface Jobs {
  /** Stores the times of these jobs, and removes jobs that this build does not have. */
  prepare: () => Promise<void>
  /** Whether one of them is due. */
  waits: SQL
  runDue: () => Promise<number>
  /** Lets running work end for a second; what is cut off is repeated. */
  close: () => Promise<void>
}

interface JobDeps {
  db: Db
  instance: Pick<Instance, 'id'>
  onError: (error: unknown, job: string) => void
}

interface Claim {
  job: Job
  owner: string
  startedAt: Date
}

const LIMIT_SECONDS = 60
/** A failed run is repeated so often after a minute, then at its next time. */
const RETRIES = 2
const STOP_MS = 1000
const UNAVAILABLE_MS = 60_000
/** An instance of another build may have removed rows of this one. */
const PREPARE_AGAIN_MS = 3_600_000
const STOPPED = new Error('The server stops')

const Clock = z.object({ at: z.coerce.date() })
const now = sql`clock_timestamp()`
const isFree = or(isNull(jobRuns.instance), isOwnerStale(jobRuns.instance), lte(jobRuns.leaseUntil, now))
const isDue = and(lte(jobRuns.nextAt, now), isFree)

export function openJobs({ db, instance, onError }: JobDeps, jobs: Job[]): Jobs {
  const limits = JSON.stringify(Object.fromEntries(jobs.map((job) => [job.name, job.limitSeconds ?? LIMIT_SECONDS])))
  const limitSeconds = sql`(${limits}::jsonb ->> ${jobRuns.name})::int`
  const isOwn = sql`${limitSeconds} is not null`
  const runner = createRunner({ limit: Number.MAX_SAFE_INTEGER, onError })
  let isOpen = true
  let preparedAt = 0

  async function prepare(): Promise<void> {
    const { at } = await oneRowOf(db, sql`select ${now} as at`, Clock)
    const rows = jobs.map(({ name, cron }) => ({ name, nextAt: nextTime(cron, at) }))
    await db
      .insert(jobRuns)
      .values(rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      .onConflictDoUpdate({ target: jobRuns.name, set: { nextAt: sql`least(${jobRuns.nextAt}, excluded.next_at)` } })
    await db.delete(jobRuns).where(sql`not ${isOwn}`)
    preparedAt = performance.now()
  }

  async function claim(): Promise<Claim[]> {
    const { name, startedAt } = jobRuns
    const due = db.select({ name }).from(jobRuns).where(and(isOwn, isDue)).for('update', { skipLocked: true })
    const owner = instance.id
    const rows = await db
      .update(jobRuns)
      .set({ instance: owner, startedAt: now, leaseUntil: sql`${now} + make_interval(secs => ${limitSeconds})` })
      .where(inArray(name, due))
      .returning({ name, startedAt: sql<Date>`${startedAt}`.mapWith(startedAt) })
    return jobs.flatMap((job) => rows.filter((row) => row.name === job.name).map((row) => ({ ...row, job, owner })))
  }

  async function run(claimed: Claim, signal: AbortSignal): Promise<void> {
    const { job } = claimed
    let hasFailed = false
    try {
      await inTime(job, signal)
    } catch (error) {
      // Not stored: the next process repeats it at once.
      if (signal.aborted) return
      hasFailed = true
      countJobError(job.name)
      onError(error, job.name)
    }
    await retryWhileUnavailable(() => end(claimed, hasFailed), { forMs: UNAVAILABLE_MS, signal })
  }

  async function end({ job, owner, startedAt }: Claim, hasFailed: boolean): Promise<void> {
    const { failures } = jobRuns
    const planned = sql`${nextTime(job.cron, startedAt).toISOString()}::timestamptz`
    const again = sql`case when ${failures} < ${RETRIES} then least(${planned}, ${now} + interval '1 minute') else ${planned} end`
    await db
      .update(jobRuns)
      .set({
        instance: null,
        leaseUntil: null,
        nextAt: hasFailed ? again : planned,
        failures: hasFailed ? sql`${failures} + 1` : 0,
      })
      .where(and(eq(jobRuns.name, job.name), eq(jobRuns.instance, owner), eq(jobRuns.startedAt, startedAt)))
  }

  async function runDue(): Promise<number> {
    if (!isOpen) return 0
    if (performance.now() - preparedAt > PREPARE_AGAIN_MS) await prepare()
    const claims = await claim()
    // Closed meanwhile: the next process runs them.
    if (!isOpen) return 0
    for (const claimed of claims)
      void runner.run(`${claimed.job.name} ${claimed.startedAt.getTime()}`, (signal) => run(claimed, signal))
    return 0
  }

  return {
    prepare,
    waits: sql`exists (select from ${jobRuns} where ${and(isOwn, isDue)})`,
    runDue,
    close: async () => {
      isOpen = false
      await runner.close(STOP_MS, STOPPED)
    },
  }
}

/** Work that takes too long is abandoned: it cannot be stopped, but it is safe to repeat. */
function inTime({ name, run, limitSeconds = LIMIT_SECONDS }: Job, stopped: AbortSignal): Promise<unknown> {
  return new Promise((done, fail) => {
    const late = () => fail(new Error(`A run took longer than ${limitSeconds} s`))
    const timer = setTimeout(late, limitSeconds * 1000).unref()
    stopped.addEventListener('abort', () => fail(stopped.reason), { once: true })
    const noteEnd = noteWork(`job ${name}`)
    void run()
      .then(done, fail)
      .finally(() => {
        clearTimeout(timer)
        noteEnd()
      })
  })
}

const Counts = z.object({
  waiting: z.coerce.number(),
  running: z.coerce.number(),
  failed: z.coerce.number(),
  oldest: z.nullable(z.coerce.date()),
})
export type Queue = z.infer<typeof Counts>

/** Due and running jobs, and those that keep failing. */
export function readQueue(db: Db): Promise<Queue> {
  return oneRowOf(
    db,
    sql`select count(*) filter (where ${isDue}) as waiting, count(*) filter (where not ${isFree}) as running,
        count(*) filter (where ${jobRuns.failures} > ${RETRIES}) as failed,
        min(${jobRuns.nextAt}) filter (where ${isDue}) as oldest
      from ${jobRuns}`,
    Counts,
  )
}
