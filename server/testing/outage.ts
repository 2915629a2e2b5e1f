import { setTimeout as pass } from 'node:timers/promises'
import { vi } from 'vitest'
import type { Db } from '#server/db/client.ts'

type Driver = Record<'query' | 'exec' | 'transaction' | 'connect', (...args: unknown[]) => Promise<unknown>>

/** The driver itself: the pool of Postgres, or the embedded database. */
export const driverOf = (db: Db) => (db as Db & { $client: Driver }).$client

/** The database refuses every statement for a while, as it does when it restarts. */
export async function databaseAway(db: Db, ms: number): Promise<void> {
  const driver = driverOf(db)
  const refuse = async () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  }
  const methods = (['query', 'exec', 'transaction', 'connect'] as const).filter((name) => name in driver)
  const spies = methods.map((name) => vi.spyOn(driver, name).mockImplementation(refuse))
  await pass(ms)
  for (const spy of spies) spy.mockRestore()
}
