import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

/**
 * The embedded database has one connection: asking the outer `db` inside a transaction would wait for ever.
 * Here that is an error at once, on Postgres too, so a test finds it wherever it runs.
 */
const open = new AsyncLocalStorage<Open>()

interface Open {
  closed: boolean
  beforeCommit: AnyFunction[]
  afterCommit: (() => void)[]
}

function current() {
  const store = open.getStore()
  return store && !store.closed ? store : null
}

/** Runs when the transaction around the caller has committed, or now if there is none. */
export function afterCommit(work: () => void): void {
  const transaction = current()
  if (transaction) transaction.afterCommit.push(work)
  else work()
}

/** Runs as the last part of the transaction around `db`, or now if there is none: locks that all callers share are taken late. */
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
    const store: Open = { closed: false, beforeCommit: [], afterCommit: [] }
    let result: unknown
    try {
      // Awaited inside: a query starts when it is awaited, and must start where the transaction is known.
      result = await begin((tx: unknown) => open.run(store, () => finished(tx, work, store)), config)
    } finally {
      store.closed = true
    }
    for (const action of store.afterCommit) action()
    return result
  }
  return db
}

/**
 * Drizzle sends `begin` before its `try`, and a connection that breaks there never goes back to the pool. And when a
 * `rollback` fails because the connection is gone, its error would hide the one that matters.
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

async function finished(tx: unknown, work: AnyFunction, { beforeCommit: last }: Open): Promise<unknown> {
  const result = await work(tx)
  for (const action of last) await action(tx)
  return result
}
