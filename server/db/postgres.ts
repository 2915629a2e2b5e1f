import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Connection, Database, DatabaseOptions, SqlFolders } from './client.ts'
import { underStartLock } from './locks.ts'
import { applyMigrations, isOfNewerBuild, isUpToDate, migrateDatabase, missingUnits } from './migrate.ts'
import * as schema from './schema.ts'
import { setRunNamed } from './statement.ts'
import { guardClient, releaseAfterFailedBegin, setLongRunning, watchTransactions } from './transactions.ts'

const POOL_SIZE = 8
const LONG_POOL_SIZE = 4
const CONNECT_MS = 10_000
const LONG_CONNECT_MS = 60_000
const IDLE_MS = 30_000
/** A new connection loads functions, plans and dictionaries again, which takes longer than handling a question. */
const MIN_OPEN_CONNECTIONS = 4
const IDLE_IN_TRANSACTION_MS = 60_000
const STATEMENT_MS = 15_000
const LONG_STATEMENT_MS = 600_000
const GRACE_MS = 5000

interface Limits {
  size: number
  statementMs: number
  graceMs: number
  /** How long to wait for a free connection. */
  connectMs: number
  /** How long a connection beyond those that stay open may be idle. */
  idleMs: number
  openAlways: number
}

export interface PostgresOptions extends DatabaseOptions {
  statementMs?: number
  /** The database ends a statement first; our own timeout is for a database that does not answer. */
  graceMs?: number
  idleMs?: number
}

export function openPostgres(url: string, folders: SqlFolders, options: PostgresOptions = {}): Database {
  const { log, poolSize = POOL_SIZE, statementMs = STATEMENT_MS, graceMs = GRACE_MS, idleMs = IDLE_MS } = options
  const onBroken = (error: Error) => log?.warn({ err: error }, 'database: a connection broke')
  const usual = {
    size: poolSize,
    statementMs,
    graceMs,
    connectMs: CONNECT_MS,
    idleMs,
    openAlways: MIN_OPEN_CONNECTIONS,
  }
  const { db, pool } = openPool(url, usual, onBroken)
  const patient = { size: LONG_POOL_SIZE, statementMs: LONG_STATEMENT_MS, connectMs: LONG_CONNECT_MS, openAlways: 0 }
  const long = openPool(url, { ...patient, graceMs, idleMs }, onBroken)
  setLongRunning(db, long.db)
  const exclusively: Database['exclusively'] = (work) => underStartLock(url, work, log)
  return {
    db,
    pool,
    execute: (text, values) => pool.query(text, values),
    migrate: async () => {
      if (await isUpToDate((text, values) => pool.query(text, values), folders, log)) {
        log?.info('database: migrations, functions and triggers are unchanged')
        return
      }
      await exclusively(() => onOwnConnection(url, ({ execute }) => migrateDatabase(execute, folders, log)))
    },
    missing: () => missingUnits((text, values) => pool.query(text, values), folders),
    isNewer: () => isOfNewerBuild((text, values) => pool.query(text, values), folders),
    exclusively,
    onConnection: (work) => onOwnConnection(url, work),
    migrateUntil: (last) =>
      exclusively(() => onOwnConnection(url, ({ execute }) => applyMigrations(execute, folders, { log, last }))),
    close: async () => void (await Promise.all([pool.end(), long.pool.end()])),
  }
}

function openPool(url: string, limits: Limits, onBroken: (error: Error) => void) {
  const { size, statementMs, graceMs, connectMs, idleMs, openAlways } = limits
  const direct = new WeakSet<object>()
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    min: Math.min(openAlways, size),
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: idleMs,
    query_timeout: statementMs + graceMs,
    onConnect: async (client) => {
      if (await limitSession(client as pg.Client, statementMs)) direct.add(client)
    },
  })
  pool.on('error', onBroken)
  pool.on('connect', (client) => {
    // The pool listens to idle connections only; an unhandled error event ends the process.
    client.on('error', onBroken)
    if (client instanceof pg.Client) watchQueries(client, () => direct.has(client))
  })
  const db = drizzle(pool, { schema, casing: 'snake_case' })
  releaseAfterFailedBegin(db, pool)
  guardClient(pool, ['query', 'connect'])
  const watched = watchTransactions(db) as Database['db']
  setRunNamed(watched, (query) => pool.query(query))
  return { pool, db: watched }
}

/**
 * Compiling a statement (jit) takes longer than any of ours runs.
 * Settings are made by a statement, because PgBouncer rejects them at startup. Behind a pooler the session is shared, so
 * nothing is set and false is returned: there the backend's pid is not the one we got when connecting.
 */
async function limitSession(client: pg.Client, statementMs: number): Promise<boolean> {
  const processID = 'processID' in client ? client.processID : null
  const { rows } = await client.query(
    `select set_config('statement_timeout', $1, false), set_config('idle_in_transaction_session_timeout', $2, false),
       set_config('jit', 'off', false)
     where pg_backend_pid() = $3`,
    [String(statementMs), String(IDLE_IN_TRANSACTION_MS), processID],
  )
  return rows.length > 0
}

/**
 * A connection whose response timed out is closed: its next response would belong to the earlier query. Names of
 * statements belong to a session, so they are left out where a pooler may change it between two statements.
 */
function watchQueries(client: pg.Client, isDirect: () => boolean): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((first: unknown, ...rest: unknown[]) => {
    const result = query(isDirect() ? first : withoutName(first), ...rest)
    if (result instanceof Promise) {
      result.catch((error: Error) => {
        if (error.message === 'Query read timeout') client.end().catch(() => {})
      })
    }
    return result
  }) as typeof client.query
}

function withoutName(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('name' in query)) return query
  return { ...query, name: undefined }
}

async function onOwnConnection<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: CONNECT_MS })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work({
      db: drizzle(client, { schema, casing: 'snake_case' }) as Database['db'],
      execute: (text, values) => client.query(text, values),
    })
  } finally {
    await client.end().catch(() => {})
  }
}
