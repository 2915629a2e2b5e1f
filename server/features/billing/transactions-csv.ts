import type { Transaction, TransactionFilter, TransactionKind } from '#contract/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { type CsvColumns, csvResponse, inMajorUnits } from '#server/lib/csv.ts'
import { dayOf, inShift } from './days.ts'
import { listTransactions } from './transactions.ts'

const PAGE = 500

const kindNames: Record<TransactionKind, string> = {
  plan: 'Подписка',
  bundle: 'Пакет символов',
  promo: 'Промокод',
  gift: 'Подарок',
  refund: 'Возврат',
  answer: 'Ответ в чате',
  translate: 'Перевод',
  image: 'Изображение',
  transcription: 'Расшифровка',
  indexing: 'Чтение файла',
  balance: 'Списание через API',
  expiry: 'Срок истёк',
  take_back: 'Изъятие',
  chargeback: 'Возврат платежа',
}

export const transactionColumns: CsvColumns<Transaction> = {
  Номер: (row) => Number(row.id),
  'Дата и время (UTC+3)': (row) => inShift(new Date(row.createdAt)).replace('T', ' '),
  Пользователь: (row) => row.userId,
  Операция: (row) => kindNames[row.kind],
  Символы: (row) => row.symbols,
  'Баланс после': (row) => row.balanceAfter,
  Модель: (row) => row.modelId,
  Беседа: (row) => row.threadId,
  Сообщение: (row) => row.messageId,
  'Символов на входе': (row) => row.input,
  'Символов на выходе': (row) => row.output,
  'Тариф входа': (row) => row.inputRate,
  'Тариф выхода': (row) => row.outputRate,
  Сумма: (row) => (row.amount === null || row.currency === null ? null : inMajorUnits(row.amount, row.currency)),
  Валюта: (row) => row.currency,
  Комментарий: (row) => row.note,
  Оспорено: (row) => (row.disputed ? 'да' : 'нет'),
}

/** Everything that fits the filter as a spreadsheet. */
export function transactionsCsv(ctx: Ctx, filter: TransactionFilter): Promise<Response> {
  return csvResponse(`transactions-${dayOf(new Date())}`, transactionColumns, readPages(ctx, filter))
}

async function* readPages(ctx: Ctx, filter: TransactionFilter): AsyncGenerator<Transaction[], void> {
  let cursor: string | null = null
  do {
    const page = await listTransactions(ctx, { ...filter, limit: PAGE, cursor: cursor ?? undefined })
    yield page.items
    cursor = page.nextCursor
  } while (cursor)
}
