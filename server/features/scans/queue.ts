import { sql } from 'drizzle-orm'
import { scans } from '#server/db/schema.ts'
import { createQueue, type Queue } from '#server/instances/queue.ts'
import { type ScanDeps, scanColumns } from './pages.ts'
import { readScan } from './work.ts'

export const createScanQueue = (deps: ScanDeps): Queue =>
  createQueue(deps, {
    name: 'scans',
    columns: scanColumns,
    limit: 2,
    // The user with the fewest running scans comes first.
    order: [sql`(select count(*) from ${scans} busy where busy.user_id = ${scans.userId} and busy.state = 'working')`],
    claim: (isNext, values) => deps.db.update(scans).set(values).where(isNext).returning(),
    idOf: ({ fileId }) => fileId,
    work: (row, signal) => readScan(deps, row, signal),
  })
