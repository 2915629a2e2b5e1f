import { and, desc, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { inputOf } from '#contract/threads.ts'
import type { Transaction, TransactionFilter, TransactionKind } from '#contract/transactions.ts'
import type { Db } from '#server/db/client.ts'
import { disputes, ledger, messages } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { Page } from '#server/http/route.ts'
import { CSV_PAGE, type CsvColumns, csvResponse, inMajorUnits } from '#server/lib/csv.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { dayOf, startOfDay, timeCell } from '../billing/days.ts'
import { trackEvent } from '../billing/events.ts'
import { subjectsOf } from './subjects.ts'

export async function listTransactions(ctx: Ctx, filter: TransactionFilter): Promise<Page<Transaction[]>> {
  const found = await selectEntries(ctx.db, filtered(ctx, filter), filter.limit + 1)
  const rows = found.slice(0, filter.limit)
  const items = await withParts(ctx.db, rows.map(toTransaction))
  const next = found.length > rows.length ? (items.at(-1)?.id ?? null) : null
  return new Page(isOwn(ctx, filter) ? await withSubjects(ctx, rows, items) : items, next)
}

/** Without names: what admins may see of anybody. */
export async function readEntries(db: Db, where: SQL | undefined, limit: number): Promise<Transaction[]> {
  return (await selectEntries(db, where, limit)).map(toTransaction)
}

const selectEntries = (db: Db, where: SQL | undefined, limit: number): Promise<FoundEntry[]> =>
  db
    .select({ entry: ledger, dispute: disputes, returned: returnedBy })
    .from(ledger)
    .leftJoin(disputes, eq(disputes.entryId, ledger.id))
    .where(where)
    .orderBy(desc(ledger.id))
    .limit(limit)

interface FoundEntry {
  entry: typeof ledger.$inferSelect
  dispute: typeof disputes.$inferSelect | null
  returned: string | null
}

export function toTransaction({ entry: { key: _, parts: __, ...entry }, dispute, returned }: FoundEntry): Transaction {
  return {
    ...entry,
    id: String(entry.id),
    subject: null,
    inputParts: null,
    searchPrice: 0,
    disputed: dispute !== null,
    dispute: dispute && {
      status: dispute.status,
      reason: dispute.reason,
      answer: dispute.answer,
      returned: returned === null ? null : Number(returned),
      decidedAt: dispute.decidedAt?.toISOString() ?? null,
    },
    createdAt: entry.createdAt.toISOString(),
  }
}

async function withSubjects({ db, user }: Ctx, found: FoundEntry[], items: Transaction[]): Promise<Transaction[]> {
  const keyed = found.map(({ entry: { id, kind, threadId, key } }) => ({ id: String(id), kind, threadId, key }))
  const names = await subjectsOf(db, user.id, keyed)
  return items.map((item) => ({ ...item, subject: names.get(item.id) ?? null }))
}

/** Adds the sizes of the parts of an answer's input, which its message has; never texts. */
export async function withParts<Item extends Transaction>(db: Db, items: Item[]): Promise<Item[]> {
  const ids = items.flatMap(({ messageId }) => messageId ?? [])
  if (ids.length === 0) return items
  const { id, parts, web } = messages
  const rows = await db.select({ id, parts, web }).from(messages).where(inArray(id, ids))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return items.map((item) => {
    const message = byId.get(item.messageId ?? '')
    // A continued answer was charged several times, and its message knows the last request only.
    const isOfThis = message?.parts && inputOf(message.parts) === item.input
    return isOfThis ? { ...item, inputParts: message.parts, searchPrice: message.web?.price ?? 0 } : item
  })
}

export const returnKey = (disputeId: string) => `dispute:${disputeId}`
export const returnedBy = sql<string | null>`(
  select back.symbols from ledger back where back.key = ${returnKey('')} || ${disputes.id})`

function filtered(ctx: Ctx, filter: TransactionFilter): SQL | undefined {
  return and(
    ownedBy(ctx, filter),
    filter.kind && eq(ledger.kind, filter.kind),
    filter.direction && (filter.direction === 'in' ? gt(ledger.symbols, 0) : lt(ledger.symbols, 0)),
    filter.from ? gte(ledger.createdAt, startOfDay(filter.from)) : undefined,
    filter.to ? lt(ledger.createdAt, startOfDay(filter.to, 1)) : undefined,
    filter.keyId ? eq(ledger.apiKeyId, filter.keyId) : undefined,
    filter.cursor === undefined ? undefined : lt(ledger.id, readCursor(filter.cursor)),
  )
}

const isOwn = ({ user }: Ctx, { userId, all }: TransactionFilter) =>
  userId === undefined ? all === undefined : userId === user.id

/** The user's own entries; an admin may ask for another user's or for all. */
function ownedBy({ user }: Ctx, { userId, all }: TransactionFilter): SQL | undefined {
  const asksForOthers = userId !== undefined || all !== undefined
  if (asksForOthers && user.role !== 'admin') {
    throw new AppError('forbidden', 'Чужие операции видит только администратор.')
  }
  if (userId === undefined && all) return undefined
  return eq(ledger.userId, userId ?? user.id)
}

function readCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor)
  throw new AppError('bad_request', 'Такой страницы списка нет. Откройте его с начала.', { field: 'cursor' })
}

/** Opens a dispute about the user's own charge. An administrator decides later; the ledger entry never changes. */
export async function disputeEntry(ctx: Ctx, id: string, reason: string): Promise<Transaction> {
  const entryId = /^\d{1,15}$/.test(id) ? Number(id) : 0
  const userId = ctx.user.id
  return ctx.db.transaction(async (tx) => {
    const [entry] = await readEntries(tx, and(eq(ledger.id, entryId), eq(ledger.userId, userId)), 1)
    if (!entry) throw notFound('У вас нет такой операции')
    if (entry.symbols > 0) throw new AppError('bad_request', 'Оспорить можно только списание')
    const [created] = await tx
      .insert(disputes)
      .values({ id: newId(), entryId, userId, reason })
      .onConflictDoNothing()
      .returning({ id: disputes.id })
    if (!created) throw new AppError('conflict', 'Вы уже оспорили эту операцию')
    await trackEvent(tx, 'Списание оспорено', userId, { entryId })
    return {
      ...entry,
      disputed: true,
      dispute: { status: 'open' as const, reason, answer: null, returned: null, decidedAt: null },
    }
  })
}

const kindNames: Record<TransactionKind, string> = {
  plan: 'Подписка',
  bundle: 'Пакет символов',
  promo: 'Промокод',
  gift: 'Подарок',
  refund: 'Возврат',
  answer: 'Ответ в чате',
  translate: 'Перевод',
  summary: 'Сжатие чата',
  image: 'Изображение',
  transcription: 'Расшифровка',
  minutes: 'Документ по записи',
  indexing: 'Чтение файла',
  scan: 'Чтение скана',
  balance: 'Списание через API',
  expiry: 'Срок истёк',
  take_back: 'Изъятие',
  chargeback: 'Возврат платежа',
  other: 'Операция',
}

export const transactionColumns: CsvColumns<Transaction> = {
  Номер: (row) => Number(row.id),
  'Дата и время (UTC+3)': (row) => timeCell(row.createdAt),
  Пользователь: (row) => row.userId,
  Операция: (row) => kindNames[row.kind] ?? kindNames.other,
  Символы: (row) => row.symbols,
  'Баланс после': (row) => row.balanceAfter,
  Модель: (row) => row.modelId,
  Чат: (row) => row.threadId,
  Сообщение: (row) => row.messageId,
  'Символов на входе': (row) => row.input,
  'Символов на выходе': (row) => row.output,
  'Коэффициент вопроса': (row) => row.inputRate,
  'Коэффициент ответа': (row) => row.outputRate,
  'Символов размышлений': (row) => row.thought,
  'Коэффициент размышлений': (row) => row.thoughtRate,
  'Символов из кэша': (row) => row.cached,
  'Коэффициент кэша': (row) => row.cachedRate,
  Сумма: (row) => (row.amount === null || row.currency === null ? null : inMajorUnits(row.amount, row.currency)),
  Валюта: (row) => row.currency,
  Комментарий: (row) => row.note,
  Оспорено: (row) => (row.disputed ? 'да' : 'нет'),
  'Ключ API': (row) => row.apiKeyId,
}

const ownColumns: CsvColumns<Transaction> = { ...transactionColumns, Название: (row) => row.subject }

export function transactionsCsv(ctx: Ctx, filter: TransactionFilter): Promise<Response> {
  return csvResponse<Transaction>(`transactions-${dayOf(new Date())}`, ownColumns, async (last) => {
    const { items } = await listTransactions(ctx, { ...filter, limit: CSV_PAGE, cursor: last?.id })
    return items
  })
}
