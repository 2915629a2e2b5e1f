import { asc, inArray } from 'drizzle-orm'
import type { Receipt } from '#contract/payments.ts'
import type { Db } from '#server/db/client.ts'
import { receipts } from '#server/db/schema.ts'

export type ReceiptRow = typeof receipts.$inferSelect

const HOUR_MS = 3_600_000

/** The receipts of these orders, oldest first. */
export async function receiptsOf(db: Db, orderIds: string[]): Promise<Map<string, Receipt[]>> {
  if (orderIds.length === 0) return new Map()
  const rows = await db
    .select()
    .from(receipts)
    .where(inArray(receipts.orderId, orderIds))
    .orderBy(asc(receipts.createdAt))
  const found = new Map<string, Receipt[]>()
  for (const row of rows) found.set(row.orderId, [...(found.get(row.orderId) ?? []), toReceipt(row)])
  return found
}

export function toReceipt(row: ReceiptRow): Receipt {
  const { id, kind, state, amount, currency, fiscalStorage, fiscalDocument, fiscalAttribute, registeredAt } = row
  return {
    ...{ id, kind, state, amount, currency, fiscalStorage, fiscalDocument, fiscalAttribute },
    registeredAt: registeredAt?.toISOString() ?? null,
    checkText: checkText(row),
  }
}

/** The tax service finds a receipt by its numbers, date and sum. */
function checkText({ kind, amount, fiscalStorage, fiscalDocument, fiscalAttribute, registeredAt }: ReceiptRow) {
  if (!fiscalStorage || !fiscalDocument || !fiscalAttribute || !registeredAt) return null
  const moscow = new Date(registeredAt.getTime() + 3 * HOUR_MS).toISOString().replace(/[-:]/g, '').slice(0, 13)
  const sum = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`
  const query = {
    t: moscow,
    s: sum,
    fn: fiscalStorage,
    i: fiscalDocument,
    fp: fiscalAttribute,
    n: kind === 'payment' ? '1' : '2',
  }
  return new URLSearchParams(query).toString()
}
