import type { Db } from './client.ts'

const long = new WeakMap<Db, Db>()

export function setLongRunning(db: Db, patient: Db): void {
  long.set(db, patient)
}

/** The pool for statements that may take minutes: reconciling, rebuilding statistics, cleaning. */
export function longRunning(db: Db): Db {
  return long.get(db) ?? db
}
