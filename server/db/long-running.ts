import type { Db } from './client.ts'

const long = new WeakMap<Db, Db>()

export function setLongRunning(db: Db, patient: Db): void {
  long.set(db, patient)
}

/** The same database for statements that may take minutes: reconciling, rebuilding sums, cleaning. */
export function longRunning(db: Db): Db {
  return long.get(db) ?? db
}
