import { hostname } from 'node:os'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import pg from 'pg'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { advisoryLocks, lockConnection } from '#server/db/locks.ts'
import { oneRowOf } from '#server/db/rows-of.ts'
import { instances } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import type { Log } from '#server/lib/log.ts'

/**
 * This process. Long work stores the id of its instance and is valid while the instance lives. An instance is stale
 * when its advisory lock is free and it missed heartbeats for SILENT_SECONDS; after FROZEN_SECONDS the lock does not
 * count (the machine may have vanished).
 */
export interface Instance {
  /** The owner id for new work. It changes when other instances declared this one stale. */
  readonly id: string
  /**
   * One heartbeat now: it also ends instances that died, unless the database was away a moment ago, and asks the
   * questions of `watch`. Returns how many died.
   */
  beat: () => Promise<number>
  /** With every heartbeat asks which of these kinds of work wait, and tells their names. */
  watch: (questions: Record<string, SQL>, onWaiting: (names: string[]) => void) => void
  /** Marks this instance as ended, so that others may take over its work at once. */
  close: () => Promise<void>
}

export interface StoredOutage {
  part: string
  since: string
  /** The models that are skipped after errors, when models are the service. */
  names?: string[]
}

export interface InstanceOptions {
  db: Db
  /** For the lock's own connection. Null on the embedded database, which has a single process. */
  lockUrl: string | null
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /** The same for every start on one machine. */
  name?: string
  /** Given by the caller, so that the log has it from the first line. */
  id?: string
  build?: string
  /** Services that this process cannot use now; stored with a heartbeat when they change. */
  outages?: () => StoredOutage[]
}

const BEAT_MS = 1500
const SILENT_SECONDS = 4
const FROZEN_SECONDS = 60
/** After a database outage all instances need time to reconnect; until then none is declared stale. */
const SETTLE_MS = 6000
const RECONNECT_MS = 500
/** A heartbeat this slow means that the database hangs for the others too. */
const SLOW_BEAT_MS = 3000
const NO_OUTAGES = '[]'
const Beat = z.object({ isAlive: z.boolean(), died: z.array(z.string()), waiting: z.array(z.string()) })
/** The instances that a heartbeat has just ended, inside its statement. */
const DIED = sql.raw('died')

/** A question for a heartbeat: whether an instance has ended and still has a row. */
export const someInstanceEnded: SQL = sql`(exists (select from ${DIED}) or
  exists (select from ${instances} where ${instances.endedAt} is not null))`

export const isOwnerStale = (owner: AnyColumn | SQL): SQL =>
  sql`(${owner} is not null and not exists (select 1 from ${instances} alive where alive.id = ${owner} and alive.ended_at is null))`

export async function openInstance(options: InstanceOptions): Promise<Instance> {
  const { db, lockUrl, log, name, id: firstId, build, outages = () => [] } = options
  const ownName = name ?? hostname()
  const isAlone = lockUrl === null
  let id = firstId ?? newId()
  let closed = false
  let stored = NO_OUTAGES
  let steadySince: number | null = null
  let questions: Record<string, SQL> = {}
  let onWaiting: (names: string[]) => void = () => {}
  const unsettle = () => {
    steadySince = null
  }
  const lock = lockUrl === null ? null : holdLock(lockUrl, { idOf: () => id, onLost: unsettle, log })

  async function register(): Promise<void> {
    await lock?.hold()
    await db.insert(instances).values({ id, name: ownName, build: build ?? null })
    stored = NO_OUTAGES
    steadySince = Date.now()
  }

  async function beat(): Promise<number> {
    const startedAt = Date.now()
    const outagesNow = JSON.stringify(outages())
    const isSteady = steadySince !== null && startedAt - steadySince >= SETTLE_MS
    const { isAlive, died, waiting } = await oneRowOf(
      db,
      sql`with own as (${markSeen(id, outagesNow === stored ? null : outagesNow)}),
          ${DIED} as (${endStale({ id, name: ownName, isAlone, isSteady })})
        select exists (select from own) as "isAlive", array(select id from ${DIED}) as died,
          ${namesOfWaiting(questions)} as waiting`,
      Beat,
    )
    stored = outagesNow
    if (Date.now() - startedAt > SLOW_BEAT_MS) unsettle()
    if (isAlive) steadySince ??= Date.now()
    else await registerAgain()
    if (died.length > 0) log.warn({ died }, 'instance: other instances died, their work is ended or taken over')
    if (waiting.length > 0 && !closed) onWaiting(waiting)
    return died.length
  }

  async function registerAgain(): Promise<void> {
    const former = id
    id = newId()
    await register()
    log.error({ former, instance: id }, 'instance: declared dead by another instance, its work was ended there')
  }

  let beating: Promise<unknown> | null = null
  const timer = setInterval(() => {
    beating ??= beat()
      .catch((error: unknown) => {
        if (steadySince !== null) log.warn({ err: error }, 'instance: heartbeat failed, the database does not answer')
        unsettle()
      })
      .finally(() => {
        beating = null
      })
  }, BEAT_MS)
  timer.unref()
  await register()

  return {
    get id() {
      return id
    },
    beat,
    watch: (newQuestions, tell) => {
      questions = newQuestions
      onWaiting = tell
    },
    close: async () => {
      if (closed) return
      closed = true
      clearInterval(timer)
      await beating
      await db
        .update(instances)
        .set({ endedAt: sql`clock_timestamp()` })
        .where(sql`${instances.id} = ${id}`)
        .catch((error: unknown) => log.warn({ err: error }, 'instance: the end could not be recorded'))
      await lock?.close()
    },
  }
}

interface StaleCheck {
  id: string
  name: string
  isAlone: boolean
  isSteady: boolean
}

const markSeen = (id: string, outages: string | null) => sql`update instances
  set seen_at = clock_timestamp()${outages === null ? sql`` : sql`, outages = ${outages}::jsonb`}
  where id = ${id} and ended_at is null returning id`

/**
 * An earlier start of this installation has the same name: one missed heartbeat is enough to end it, also when it was
 * long ago because this start took long.
 */
function endStale({ id, name, isAlone, isSteady }: StaleCheck): SQL {
  const silentFor = (seconds: number) => sql`seen_at < clock_timestamp() - make_interval(secs => ${seconds})`
  const lockIsFree = sql`pg_try_advisory_xact_lock(${advisoryLocks.instance}, hashtext(id))`
  const died = isAlone
    ? sql`true`
    : sql`case
        when name = ${name} and ${silentFor(BEAT_MS / 1000)} and ${lockIsFree} then true
        when ${silentFor(FROZEN_SECONDS)} then ${isSteady}::boolean
        when ${silentFor(SILENT_SECONDS)} then ${isSteady}::boolean and ${lockIsFree}
        else false end`
  return sql`update instances set ended_at = clock_timestamp()
    where id <> ${id} and ended_at is null and ${died} returning id`
}

function namesOfWaiting(questions: Record<string, SQL>): SQL {
  const names = Object.entries(questions).map(([name, waits]) => sql`case when ${waits} then ${name}::text end`)
  return names.length === 0 ? sql`array[]::text[]` : sql`array_remove(array[${sql.join(names, sql`, `)}], null)`
}

/** Instances that have ended and still have a row. */
export async function staleInstances(db: Db): Promise<string[]> {
  const rows = await db.select({ id: instances.id }).from(instances).where(sql`${instances.endedAt} is not null`)
  return rows.map((row) => row.id)
}

export async function forgetInstances(db: Db, ids: string[]): Promise<void> {
  await db
    .delete(instances)
    .where(sql`${instances.id} = any(${sql.param(ids)}::text[]) and ${instances.endedAt} is not null`)
}

/** Holds the lock on a connection of its own, which is opened again when it breaks. */
function holdLock(
  url: string,
  { idOf, onLost, log }: { idOf: () => string; onLost: () => void; log: InstanceOptions['log'] },
) {
  let client: pg.Client | null = null
  let closed = false
  let opening: Promise<void> | null = null

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 5000 })
    fresh.on('error', () => {})
    try {
      await fresh.connect()
      await lockConnection(fresh, `${advisoryLocks.instance}, hashtext(${fresh.escapeLiteral(idOf())})`, true)
    } catch (error) {
      await fresh.end().catch(() => {})
      throw error
    }
    client = fresh
    fresh.once('end', () => {
      if (client !== fresh) return
      client = null
      onLost()
      reopen()
    })
  }

  function reopen(): void {
    if (closed || opening !== null) return
    opening = (async () => {
      while (!closed && client === null) {
        await connect().catch(() => new Promise((done) => setTimeout(done, RECONNECT_MS).unref()))
      }
      log.info({ instance: idOf() }, 'instance: the lock is held again')
    })().finally(() => {
      opening = null
    })
  }

  return {
    /** Takes the lock for the current id and releases the previous one. */
    hold: async () => {
      const former = client
      client = null
      await former?.end().catch(() => {})
      await opening
      if (client === null) await connect()
    },
    close: async () => {
      closed = true
      const last = client
      client = null
      await last?.end().catch(() => {})
    },
  }
}
