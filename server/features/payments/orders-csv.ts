import { and, desc, type SQL, sql } from 'drizzle-orm'
import type { AdminOrder, OrderFilter } from '#contract/orders-admin.ts'
import type { Order } from '#contract/payments.ts'
import { orders } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { type CsvColumns, csvResponse, inMajorUnits } from '#server/lib/csv.ts'
import { dayOf, inShift } from '../billing/days.ts'
import type { OrderRow } from './orders.ts'
import { ordersWhere, promptTableOrders } from './orders-table.ts'

const kindNames: Record<Order['kind'], string> = { plan: 'Подписка', renewal: 'Продление', bundle: 'Пакет символов' }
const statusNames: Record<Order['status'], string> = {
  pending: 'ждёт оплаты',
  paid: 'оплачен',
  failed: 'не прошёл',
  expired: 'не оплачен вовремя',
  refunded: 'деньги возвращены',
  charged_back: 'деньги отозвал банк',
}
const atClock = (moment: string | null) => moment && inShift(new Date(moment)).replace('T', ' ')

const columns: CsvColumns<AdminOrder> = {
  Номер: (row) => row.id,
  'Создан (UTC+3)': (row) => atClock(row.createdAt),
  'Оплачен (UTC+3)': (row) => atClock(row.paidAt),
  Пользователь: (row) => row.userId,
  Почта: (row) => row.email,
  Вид: (row) => kindNames[row.kind],
  'Что куплено': (row) => row.title,
  Состояние: (row) => statusNames[row.status],
  Символы: (row) => row.symbols,
  Сумма: (row) => inMajorUnits(row.amount, row.currency),
  Возвращено: (row) => inMajorUnits(row.refundedAmount, row.currency),
  Валюта: (row) => row.currency,
  'Скидка, %': (row) => row.discountPercent,
  'Номер платежа в bePaid': (row) => row.gatewayUid,
}

export function ordersCsv(ctx: Ctx, filter: OrderFilter): Promise<Response> {
  return csvResponse(`orders-${dayOf(new Date())}`, columns, readPages(ctx, filter))
}

const PAGE = 1000

async function* readPages({ db }: Ctx, filter: OrderFilter): AsyncGenerator<AdminOrder[], void> {
  const where = await ordersWhere(db, filter)
  let last: OrderRow | undefined
  do {
    const rows: OrderRow[] = await db
      .select()
      .from(orders)
      .where(and(where, last && after(last)))
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(PAGE)
    yield await promptTableOrders(db, rows)
    last = rows.length === PAGE ? rows.at(-1) : undefined
  } while (last)
}

function after({ createdAt, id }: OrderRow): SQL {
  return sql`(${orders.createdAt}, ${orders.id}) < (${createdAt.toISOString()}::timestamptz, ${id})`
}
