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

/** A machine that lost power is noticed in seconds. */
const KEEPALIVES = { tcp_keepalives_idle: 5, tcp_keepalives_interval: 3, tcp_keepalives_count: 3 }
const setAll = (how: string, settings: Record<string, number>) =>
  Object.entries(settings)
    .map(([name, value]) => `${how} ${name} = ${value}`)
    .join('; ')

/**
 * Takes an advisory lock for as long as the connection stays open; with `isPatient` waits for it. The lock belongs to
 * the session, so that no transaction stays open: concurrent indexes, vacuum and limits of a role would meet it. Only a
 * pooler, which gives sessions to others, gets a transaction.
 */
export async function lockConnection(client: pg.Client, key: string, isPatient = false): Promise<boolean> {
  const isDirect = await hasOwnSession(client)
  await client.query(
    isDirect
      ? setAll('set', { idle_session_timeout: 0, ...KEEPALIVES })
      : `begin; ${setAll('set local', { idle_in_transaction_session_timeout: 0, ...KEEPALIVES })}`,
  )
  const name = `advisory_${isDirect ? '' : 'xact_'}lock(${key})`
  // Without parameters: the extended protocol keeps the snapshot of a statement until the next one.
  const { rows } = await client.query(
    isPatient ? `select true as locked from pg_${name}` : `select pg_try_${name} as locked`,
  )
  if (!rows[0].locked && !isDirect) await client.query('rollback')
  return rows[0].locked
}

/** Behind a pooler the backend's pid is not the one we got when connecting. */
async function hasOwnSession(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return 'processID' in client && client.processID === rows[0].pid
}

/** Runs `work` while no other instance is inside. */
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
    while (!(await lockConnection(client, `${advisoryLocks.start}`))) {
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
    // Closing releases the lock.
    await client.end().catch(() => {})
  }
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
