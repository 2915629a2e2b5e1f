import type { Transaction, TransactionFilter, TransactionKind } from '#contract/transactions.ts'
import type { Ctx } from '#server/http/context.ts'
import { csvHead, csvHeaders, csvLine } from '#server/lib/csv.ts'
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
  balance: 'Списание через API',
  expiry: 'Срок истёк',
  take_back: 'Изъятие',
  chargeback: 'Возврат платежа',
}

const columns: Record<string, (row: Transaction) => string | number | null> = {
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

/** Everything that fits the filter as a spreadsheet, sent page by page as fast as it is read. */
export async function transactionsCsv(ctx: Ctx, filter: TransactionFilter): Promise<Response> {
  const pages = readPages(ctx, filter)
  // The first page is read before the answer begins: a refusal is still an ordinary answer.
  const first = await pages.next()
  return new Response(ReadableStream.from(lines(first.value ?? [], pages)).pipeThrough(new TextEncoderStream()), {
    headers: csvHeaders(`transactions-${dayOf(new Date())}`),
  })
}

async function* readPages(ctx: Ctx, filter: TransactionFilter): AsyncGenerator<Transaction[], undefined> {
  let cursor: string | null = null
  do {
    const page = await listTransactions(ctx, { ...filter, limit: PAGE, cursor: cursor ?? undefined })
    yield page.items
    cursor = page.nextCursor
  } while (cursor)
}

async function* lines(first: Transaction[], rest: AsyncIterable<Transaction[]>): AsyncGenerator<string> {
  yield csvHead(Object.keys(columns)) + first.map(lineOf).join('')
  for await (const page of rest) yield page.map(lineOf).join('')
}

const lineOf = (row: Transaction) => csvLine(Object.values(columns).map((cell) => cell(row)))
function inMajorUnits(amount: number, currency: string): number {
  const format = new Intl.NumberFormat('ru', { style: 'currency', currency }).resolvedOptions()
  return amount / 10 ** (format.maximumFractionDigits ?? 2)
}
