import { asc, gt } from 'drizzle-orm'
import type { ChainState } from '#contract/audit.ts'
import type { Db } from '#server/db/client.ts'
import { auditLog } from '#server/db/schema.ts'
import { type AuditRow, canonical, GENESIS, hashOf } from './chain.ts'

const PAGE = 1000

/** The chain and whether a hash kept from earlier is still one of its links. */
export interface Verified extends ChainState {
  isStoredHashFound: boolean
}

/** Goes through the whole log page by page and stops at the first row that does not fit. */
export async function verifyChain(db: Db, kept: string | null = null): Promise<Verified> {
  let [count, head, isStoredHashFound] = [0, GENESIS, kept === null]
  for await (const row of rows(db)) {
    const reason = kindOf(row, count, head)
    if (reason) return { count, head: count > 0 ? head : null, broken: { id: row.id, reason }, isStoredHashFound }
    count += 1
    head = row.hash
    if (head === kept) isStoredHashFound = true
  }
  return { count, head: count > 0 ? head : null, broken: null, isStoredHashFound }
}

function kindOf(row: AuditRow, count: number, head: string): NonNullable<ChainState['broken']>['reason'] | null {
  if (row.id !== count + 1) return 'gap'
  if (row.prevHash !== head) return 'link'
  return row.hash === hashOf(row.prevHash, row.id, canonical(row)) ? null : 'content'
}

async function* rows(db: Db): AsyncGenerator<AuditRow> {
  let last = Number.MIN_SAFE_INTEGER
  for (;;) {
    const page = await db.select().from(auditLog).where(gt(auditLog.id, last)).orderBy(asc(auditLog.id)).limit(PAGE)
    yield* page
    last = page.at(-1)?.id ?? last
    if (page.length < PAGE) return
  }
}
