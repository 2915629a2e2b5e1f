import pg from 'pg'
import { StartError } from '#server/lib/errors.ts'
import type { Log } from '#server/lib/log.ts'

/** Builds of two releases run side by side, so a number never changes its meaning. */
export const advisoryLocks = {
  /** Held by an instance that migrates or creates queues. */
  start: 7_205_431,
  /** Held while a row is appended to the audit log, in server/db/functions/audit.sql. */
  audit: 7_205_432,
  /** First key of the lock of a living instance. Locks with two keys never conflict with locks with one. */
  instance: 7_205_432,
  /** Held while a day of the statistics is summed, in server/features/statistics/sums.ts. */
  statistics: 7_205_433,
} as const

/** Advisory locks by the hash of a name; after a colon follows the id of a row. */
export const namedLocks = {
  lastAdmin: 'keep_an_admin',
  subscriber: 'subscriber:',
  payment: 'payment:',
} as const

const POLL_MS = 300
const REMIND_MS = 5000
const GIVE_UP_MS = 600_000

/**
 * Runs `work` while no other instance is inside. The lock belongs to an open transaction on its own connection, because
 * PgBouncer would keep a session lock. The transaction has no snapshot, so it does not hold back vacuum.
 */
export async function underStartLock<T>(
  url: string,
  work: () => Promise<T>,
  log?: Pick<Log, 'info' | 'warn'>,
  giveUpMs = GIVE_UP_MS,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 10_000 })
  client.on('error', (error) => log?.warn({ err: error }, 'database: the connection of the start lock broke'))
  await client.connect()
  try {
    const started = Date.now()
    let reminded = started - REMIND_MS
    while (!(await tryLock(client))) {
      const waited = Date.now() - started
      if (waited > giveUpMs) {
        throw new StartError(
          `Другой сервер держит базу уже ${Math.round(waited / 1000)} с: выполняет миграции или завис. ` +
            'Посмотрите его журнал и, если он завис, остановите его; потом запустите этот снова.',
        )
      }
      if (Date.now() - reminded >= REMIND_MS) {
        reminded = Date.now()
        log?.info({ waitedMs: waited }, 'Жду, пока другой сервер закончит миграции…')
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS * (1 + Math.random())))
    }
    return await work()
  } finally {
    // Closing ends the transaction and releases the lock.
    await client.end().catch(() => {})
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  await client.query('begin; set local idle_in_transaction_session_timeout = 0')
  // Without parameters: the extended protocol would keep a snapshot until the next statement.
  const { rows } = await client.query(`select pg_try_advisory_xact_lock(${advisoryLocks.start}) as locked`)
  if (rows[0].locked) return true
  await client.query('rollback')
  return false
}

/**
 * Shorter than Postgres' deadlock_timeout of a second, so that in a deadlock the start gives way and not a request.
 * Requests wait for the start no longer than this.
 */
const LOCK_TIMEOUT_MS = 800
const PAUSE_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

export const lockTimeout = `set local lock_timeout = ${LOCK_TIMEOUT_MS}`

/** Repeats `work`, a transaction that begins with `lockTimeout`, until it gets its locks. */
export async function retryForLocks<T>(
  what: string,
  work: () => Promise<T>,
  log?: Pick<Log, 'info'>,
  giveUpMs = GIVE_UP_MS,
): Promise<T> {
  const started = Date.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isLockError(error)) throw error
      if (Date.now() - started > giveUpMs) {
        throw new StartError(
          `Не удалось изменить базу (${what}) за ${Math.round(giveUpMs / 1000)} с: таблицы заняты долгой операцией, ` +
            'например pg_dump или забытой транзакцией. Дождитесь её конца или завершите её и запустите сервер снова.',
          { cause: error },
        )
      }
      log?.info({ what }, 'database: tables are locked, retrying')
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * (0.5 + Math.random())))
    }
  }
}

function isLockError(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && (cause.code === LOCK_NOT_AVAILABLE || cause.code === DEADLOCK)) return true
  }
  return false
}
