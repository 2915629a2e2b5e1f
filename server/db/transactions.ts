import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import type { Db } from './client.ts'

/**
 * The embedded database has one connection: using the outer `db` inside a transaction would deadlock. Here it throws at
 * once, on Postgres too, so that every test finds it.
 */
const transactionScope = new AsyncLocalStorage<TransactionScope>()

interface TransactionScope {
  closed: boolean
  beforeCommit: AnyFunction[]
  afterCommit: (() => void)[]
}

function current() {
  const store = transactionScope.getStore()
  return store && !store.closed ? store : null
}

/** Runs after the commit of the current transaction, or now if there is none. */
export function afterCommit(work: () => void): void {
  const transaction = current()
  if (transaction) transaction.afterCommit.push(work)
  else work()
}

/**
 * Runs at the end of the transaction of `db`, or now if there is none, so that widely shared locks are held briefly.
 */
export async function beforeCommit<Db>(db: Db, work: (db: Db) => Promise<void>): Promise<void> {
  const transaction = current()
  if (transaction) transaction.beforeCommit.push(work)
  else await work(db)
}

// biome-ignore lint/suspicious/noExplicitAny: any function of a driver, passed through unchanged
type AnyFunction = (...args: any[]) => any

export function guardClient<Client extends object>(client: Client, methods: (keyof Client & string)[]): void {
  for (const name of methods) {
    const original = (client[name] as AnyFunction).bind(client)
    client[name] = ((...args: unknown[]) => {
      if (current()) throw new Error('The outer database was used inside a transaction: pass the transaction on')
      return original(...args)
    }) as Client[typeof name]
  }
}

export function watchTransactions<D extends { transaction: AnyFunction }>(db: D): D {
  const begin = db.transaction.bind(db)
  db.transaction = async (work: AnyFunction, config: unknown) => {
    const store: TransactionScope = { closed: false, beforeCommit: [], afterCommit: [] }
    let result: unknown
    try {
      // Awaited inside: a query starts when it is awaited, and must start inside the async context of the transaction.
      result = await begin((tx: unknown) => transactionScope.run(store, () => runToCommit(tx, work, store)), config)
    } finally {
      store.closed = true
    }
    for (const action of store.afterCommit) action()
    return result
  }
  return db
}

/**
 * Drizzle sends `begin` before its `try`, so a connection that breaks there would never return to the pool. And a
 * failing `rollback` would hide the original error.
 */
export function releaseAfterFailedBegin(db: { transaction: AnyFunction }, pool: pg.Pool): void {
  const taking = new AsyncLocalStorage<{ client: pg.PoolClient | null }>()
  const connect = pool.connect.bind(pool) as AnyFunction
  pool.connect = ((callback?: AnyFunction) => {
    if (callback) return connect(callback)
    const taken = taking.getStore()
    return connect().then((client: pg.PoolClient) => {
      if (taken) taken.client = client
      return client
    })
  }) as typeof pool.connect
  const transaction = db.transaction.bind(db)
  db.transaction = async (work: AnyFunction, config: unknown) => {
    const taken: { client: pg.PoolClient | null } = { client: null }
    let hasBegun = false
    let failure: { error: unknown } | null = null
    const watched = async (tx: unknown) => {
      hasBegun = true
      try {
        return await work(tx)
      } catch (error) {
        failure = { error }
        throw error
      }
    }
    try {
      return await taking.run(taken, () => transaction(watched, config))
    } catch (error) {
      if (!hasBegun) taken.client?.release(error as Error)
      throw (failure as { error: unknown } | null)?.error ?? error
    }
  }
}

async function runToCommit(tx: unknown, work: AnyFunction, { beforeCommit: last }: TransactionScope): Promise<unknown> {
  const result = await work(tx)
  for (const action of last) await action(tx)
  return result
}

/** Constraint violations that parallel requests may cause. */
export const FOREIGN_KEY_VIOLATION = '23503'
export const UNIQUE_VIOLATION = '23505'

/** The SQL state of a failed statement; Drizzle wraps the driver's error. */
export function pgErrorCode(error: unknown): unknown {
  const code = (given: unknown) => (given instanceof Error && 'code' in given ? given.code : undefined)
  return error instanceof Error ? (code(error) ?? code(error.cause)) : undefined
}

const longRunningPools = new WeakMap<Db, Db>()

export function setLongRunning(db: Db, patient: Db): void {
  longRunningPools.set(db, patient)
}

/** The pool for statements that may take minutes: reconciling, summing days, cleaning. */
export function longRunning(db: Db): Db {
  return longRunningPools.get(db) ?? db
}
