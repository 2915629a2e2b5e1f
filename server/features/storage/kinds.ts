import { and, asc, eq, gt, inArray, isNotNull, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/client.ts'
import type { files, images } from '#server/db/schema.ts'
import type { Storage } from '#server/storage/storage.ts'

/** A kind of stored objects, and the rows that name them. */
export interface StoredKind {
  /** For reports to the owner. */
  label: string
  prefix: string
  /** The subset of the keys that rows name. */
  named: (db: Db, keys: string[]) => Promise<Set<string>>
  /** The keys that rows name, all or those of one user, in batches. */
  keys: (db: Db, userId?: string) => AsyncGenerator<string[]>
}

export const BATCH = 1000

/** One object per row; the column has its key. */
export function byColumn(
  label: string,
  prefix: string,
  table: typeof files | typeof images,
  column: AnyPgColumn<{ data: string }>,
): StoredKind {
  return {
    label,
    prefix,
    named: async (db, keys) => {
      const rows = await db.select({ key: column }).from(table).where(inArray(column, keys))
      return new Set(rows.map(({ key }) => String(key)))
    },
    keys: (db, userId) =>
      batches(
        table.id,
        (after) =>
          db
            .select({ id: table.id, key: column })
            .from(table)
            .where(and(after, isNotNull(column), userId === undefined ? undefined : eq(table.userId, userId)))
            .orderBy(asc(table.id))
            .limit(BATCH),
        ({ key }) => [String(key)],
      ),
  }
}

export async function* batches<Row extends { id: string }>(
  id: AnyPgColumn<{ data: string }>,
  read: (after: SQL | undefined) => PromiseLike<Row[]>,
  keysOf: (row: Row) => string[],
): AsyncGenerator<string[]> {
  for (let last: string | undefined; ; ) {
    const rows = await read(last === undefined ? undefined : gt(id, last))
    if (rows.length > 0) yield rows.flatMap(keysOf)
    if (rows.length < BATCH) return
    last = rows.at(-1)?.id
  }
}

export async function* listKeys(storage: Storage, { prefix }: StoredKind): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const { key } of storage.list(prefix)) {
    if (batch.push(key) < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
