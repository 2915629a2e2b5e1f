import { inArray } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '#server/db/client.ts'
import { bundles, models, orders, plans, promoCodes, prompts, users } from '#server/db/schema.ts'
import type { AuditRow } from './chain.ts'

type Named = [table: PgTable, id: PgColumn, name: PgColumn]
const tables: Record<string, Named> = {
  user: [users, users.id, users.email],
  plan: [plans, plans.id, plans.name],
  bundle: [bundles, bundles.id, bundles.name],
  model: [models, models.id, models.name],
  promo: [promoCodes, promoCodes.id, promoCodes.hint],
  prompt: [prompts, prompts.id, prompts.title],
  order: [orders, orders.id, orders.title],
}

/** What the targets are called now, or, of what is gone, what the row itself remembers. By the row's number. */
export async function targetNames(db: Db, rows: AuditRow[]): Promise<Map<number, string>> {
  const names = new Map<number, string>()
  for (const kind of new Set(rows.map((row) => row.kind))) {
    const ofKind = rows.filter((row) => row.kind === kind)
    const known = await namesNow(db, kind, ofKind)
    for (const row of ofKind) {
      const name = (row.target && known.get(row.target)) ?? remembered(row)
      if (name) names.set(row.id, kind === 'promo' && !name.startsWith('…') ? `…${name}` : name)
    }
  }
  return names
}

async function namesNow(db: Db, kind: string, rows: AuditRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ target }) => target ?? []))]
  const place = tables[kind]
  if (!place || ids.length === 0) return new Map()
  const [table, id, name] = place
  const found = await db.select({ id, name }).from(table).where(inArray(id, ids))
  return new Map(found.map((row) => [String(row.id), String(row.name)]))
}

function remembered({ before, after }: AuditRow): string | null {
  for (const fields of [after, before]) {
    for (const field of ['email', 'name', 'title', 'hint', 'user']) {
      const value = fields?.[field]
      if (typeof value === 'string' && value) return value
    }
  }
  return null
}
