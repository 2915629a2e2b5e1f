import pg from 'pg'
import type { Log } from '#server/lib/log.ts'
import { StartError } from '#server/lib/start-error.ts'

/** Known to earlier builds too: never change it. */
const LOCK = 7_205_431
const POLL_MS = 300
const REMIND_MS = 5000
const GIVE_UP_MS = 600_000

/**
 * Runs `work` while no other instance is inside. The lock belongs to a transaction that stays open on its own
 * connection: a lock of a session would be left behind in PgBouncer. The transaction has no snapshot, so it hinders nobody.
 */
export async function underStartLock<T>(
  url: string,
  work: () => Promise<T>,
  log?: Pick<Log, 'info' | 'warn'>,
  giveUpMs = GIVE_UP_MS,
): Promise<T> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 10_000 })
  client.on('error', (error) => log?.warn({ err: error }, 'the connection that holds the start lock broke'))
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
    // Closing ends the transaction, and with it the lock.
    await client.end().catch(() => {})
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  await client.query('begin; set local idle_in_transaction_session_timeout = 0')
  // Without parameters: the extended protocol would keep its snapshot until the next statement.
  const { rows } = await client.query(`select pg_try_advisory_xact_lock(${LOCK}) as locked`)
  if (rows[0].locked) return true
  await client.query('rollback')
  return false
}
