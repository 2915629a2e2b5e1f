import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { imports } from '#server/db/schema.ts'
import { afterCommit } from '#server/db/transactions.ts'
import type { Publish } from '#server/http/context.ts'
import type { Totals } from '#server/http/limit-table.ts'
import type { Instance } from '#server/instances/instance.ts'
import { isClaimed, OwnershipLost } from '#server/instances/queue.ts'
import type { Log } from '#server/lib/log.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { UploadDeps } from '../files/upload.ts'
import type { ProjectDeps } from '../projects/projects.ts'
import type { Row } from './rows.ts'

export interface ImportDeps {
  db: Db
  log: Log
  publish: Publish
  instance: Pick<Instance, 'id'>
  storage: Storage
  /** A folder for temporary files. */
  incoming: string
  totals: Totals
  /** Reads the files of messages after they are stored. */
  reading: UploadDeps
  /** Undefined when the server has no projects: theirs are skipped then. */
  projects: ProjectDeps | undefined
}

/** For the pages of other devices. */
export function publishImport(
  publish: Publish,
  userId: string,
  id: string,
  type: 'changed' | 'removed' = 'changed',
): void {
  afterCommit(() => publish(userId, { topic: 'imports', type, data: { id } }))
}

type Change = Partial<Record<keyof Row, unknown>>

/** Throws when this claim no longer has the row. */
export async function change(db: Db, row: Pick<Row, 'id' | 'tries'>, values: Change): Promise<void> {
  const [changed] = await db
    .update(imports)
    .set({ ...(values as object), updatedAt: sql`now()` })
    .where(isClaimed(imports, row))
    .returning({ id: imports.id })
  if (!changed) throw new OwnershipLost()
}
