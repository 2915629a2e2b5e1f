import { hostname } from 'node:os'
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import pg from 'pg'
import type { Db } from '#server/db/client.ts'
import { instances } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import type { Log } from '#server/lib/log.ts'

/**
 * This process, as the others know it. Long work names the process that owns it, and lives as long as that does:
 * nothing has to renew single answers, pictures or files.
 *
 * A process writes every BEAT_MS that it is there and holds an advisory lock on a connection of its own. It is dead
 * when the lock is free and it has been silent for SILENT_SECONDS: the lock alone misjudges a lost connection, silence
 * alone a busy pool. A machine that vanished keeps its lock until the database notices; after FROZEN_SECONDS of silence
 * the lock does not count.
 */
export interface Instance {
  /** What work that begins now is owned by. It changes when others took this process for dead. */
  readonly id: string
  /** Finds other processes that died; how many it ended. Nothing is judged until the database has been there a while. */
  endStale: () => Promise<number>
  /** Says goodbye: whatever this process still owns may be taken at once. */
  close: () => Promise<void>
}

export interface InstanceOptions {
  db: Db
  /** A connection of its own for the lock. Null on the embedded database, where nobody else can be. */
  lockUrl: string | null
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /** The same for every start on one machine. */
  name?: string
  /** Made by whoever starts the process, so that its log has it from the first line. */
  id?: string
}

const BEAT_MS = 1500
const SILENT_SECONDS = 4
const FROZEN_SECONDS = 60
/** After the database was away everybody needs a moment to come back: until then nobody is judged. */
const SETTLE_MS = 6000
const RECONNECT_MS = 500
/** A beat that took so long found the database hanging, for the others too. */
const SLOW_BEAT_MS = 3000
/** The first half of the advisory lock's key; the second is the id. */
const LOCK_CLASS = 7_205_432

/** Whether nobody alive owns a row. */
export const orphaned = (owner: AnyColumn | SQL): SQL =>
  sql`(${owner} is not null and not exists (select 1 from ${instances} alive where alive.id = ${owner} and alive.ended_at is null))`

export async function openInstance({ db, lockUrl, log, name, id: firstId }: InstanceOptions): Promise<Instance> {
  const ownName = name ?? hostname()
  const isAlone = lockUrl === null
  let id = firstId ?? newId()
  let closed = false
  let steadySince: number | null = null
  const unsettle = () => {
    steadySince = null
  }
  const lock = lockUrl === null ? null : keepLock(lockUrl, { idOf: () => id, onLost: unsettle, log })

  async function register(): Promise<void> {
    await lock?.hold()
    await db.insert(instances).values({ id, name: ownName })
    steadySince = Date.now()
  }

  async function beat(): Promise<void> {
    const startedAt = Date.now()
    const { rows } = await execute(
      db,
      sql`update instances set seen_at = clock_timestamp() where id = ${id} and ended_at is null returning 1 as alive`,
    )
    if (Date.now() - startedAt > SLOW_BEAT_MS) unsettle()
    if (rows.length > 0) {
      steadySince ??= Date.now()
      return
    }
    const former = id
    id = newId()
    await register()
    log.error({ former, instance: id }, 'this process was taken for dead by another; its work was ended there')
  }

  let beating: Promise<void> | null = null
  const timer = setInterval(() => {
    beating ??= beat()
      .catch((error: unknown) => {
        if (steadySince !== null) log.warn({ err: error }, 'no heartbeat: the database does not answer')
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
    endStale: async () => {
      const isSteady = steadySince !== null && Date.now() - steadySince >= SETTLE_MS
      const dead = await endStale(db, { id, name: ownName, isAlone, isSteady })
      if (dead.length > 0) log.warn({ dead }, 'processes died; what they owned is ended or taken over')
      return dead.length
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
        .catch((error: unknown) => log.warn({ err: error }, 'the end of this process could not be written down'))
      await lock?.close()
    },
  }
}

interface Judge {
  id: string
  name: string
  isAlone: boolean
  isSteady: boolean
}

/** The former life of this very process is known by its name: it needs no silence but a beat that did not come. */
async function endStale(db: Db, { id, name, isAlone, isSteady }: Judge): Promise<string[]> {
  const silentFor = (seconds: number) => sql`seen_at < clock_timestamp() - make_interval(secs => ${seconds})`
  const lockIsFree = sql`pg_try_advisory_xact_lock(${LOCK_CLASS}, hashtext(id))`
  const died = isAlone
    ? sql`true`
    : sql`case
        when ${silentFor(FROZEN_SECONDS)} then ${isSteady}::boolean
        when ${silentFor(SILENT_SECONDS)} then ${isSteady}::boolean and ${lockIsFree}
        when name = ${name} and ${silentFor(BEAT_MS / 1000)} then ${lockIsFree}
        else false end`
  const { rows } = await execute(
    db,
    sql`update instances set ended_at = clock_timestamp()
      where id <> ${id} and ended_at is null and ${died} returning id`,
  )
  return rows.map((row) => String(row.id))
}

/** Processes that died and are not forgotten yet, this one's former lives among them. */
export async function staleInstances(db: Db): Promise<string[]> {
  const rows = await db.select({ id: instances.id }).from(instances).where(sql`${instances.endedAt} is not null`)
  return rows.map((row) => row.id)
}

export async function forgetInstances(db: Db, ids: string[]): Promise<void> {
  await db
    .delete(instances)
    .where(sql`${instances.id} = any(${sql.param(ids)}::text[]) and ${instances.endedAt} is not null`)
}

async function execute(db: Db, query: SQL): Promise<{ rows: Record<string, unknown>[] }> {
  return (await db.execute(query)) as unknown as { rows: Record<string, unknown>[] }
}

/**
 * Holds the lock in a transaction that stays open, so that it also works through a pooler that lends connections per
 * transaction. Such a transaction has read nothing and keeps no old rows alive.
 */
function keepLock(
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
      await fresh.query('begin')
      await fresh.query('set local idle_in_transaction_session_timeout = 0')
      // A machine that lost its power is noticed in seconds, not in hours.
      await fresh.query(
        'set local tcp_keepalives_idle = 5; set local tcp_keepalives_interval = 3; set local tcp_keepalives_count = 3',
      )
      await fresh.query('select pg_advisory_xact_lock($1, hashtext($2))', [LOCK_CLASS, idOf()])
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
      log.info({ instance: idOf() }, 'the lock of this process is held again')
    })().finally(() => {
      opening = null
    })
  }

  return {
    /** Takes the lock for the id of now; a former one is given back. */
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
