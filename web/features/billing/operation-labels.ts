import type { OwnDispute, Transaction, TransactionKind } from '#contract/transactions.ts'
import { formatMoney, formatNumber, formatSymbols } from '#web/lib/format.ts'

const names: Record<TransactionKind, string> = {
  plan: 'Подписка',
  bundle: 'Пакет символов',
  promo: 'Промокод',
  gift: 'Подарок',
  refund: 'Возврат символов',
  answer: 'Ответ в чате',
  translate: 'Вопрос без чата',
  summary: 'Сжатие чата',
  image: 'Изображение',
  transcription: 'Расшифровка',
  minutes: 'Документ по записи',
  indexing: 'Чтение файла',
  scan: 'Чтение скана',
  balance: 'Списание',
  expiry: 'Срок символов вышел',
  take_back: 'Символы забраны',
  chargeback: 'Платёж отозван',
  other: 'Операция',
}

export function operationName(kind: TransactionKind): string {
  return names[kind]
}

/** Symbols leave with returned money, or because an admin took them. */
export function operationTitle({ kind, amount, apiKeyId }: Transaction): string {
  if (kind === 'take_back' && amount !== null) return 'Возврат покупки'
  return apiKeyId && kind === 'answer' ? 'Ответ программе' : names[kind]
}

const spends: ReadonlySet<TransactionKind> = new Set([
  'answer',
  'translate',
  'summary',
  'image',
  'transcription',
  'minutes',
  'indexing',
  'scan',
  'balance',
])

export function canDispute({ kind, disputed }: Pick<Transaction, 'kind' | 'disputed'>): boolean {
  return spends.has(kind) && !disputed
}

export function isSpend({ kind }: Pick<Transaction, 'kind'>): boolean {
  return spends.has(kind)
}

export function disputeLabel({ status, returned }: OwnDispute): {
  label: string
  tone: 'warning' | 'success' | 'neutral'
} {
  if (status === 'open') return { label: 'списание оспорено', tone: 'warning' }
  if (status === 'refused') return { label: 'проверено, ошибки нет', tone: 'neutral' }
  return { label: `возвращено ${formatNumber(returned ?? 0)}`, tone: 'success' }
}

/** «Списано 2 270 символов; осталось 58 760». */
export function explainOperation(operation: Transaction): string {
  const left = `${operation.symbols > 0 ? 'стало' : 'осталось'} ${formatNumber(operation.balanceAfter)}`
  return `${explainChange(operation)}; ${left}`
}

function explainChange(operation: Transaction): string {
  const { kind, symbols, amount, currency } = operation
  const size = formatSymbols(Math.abs(symbols))
  if (symbols > 0) {
    const paid = amount !== null && currency !== null ? ` за ${formatMoney({ amount, currency })}` : ''
    return `Зачислено ${size}${paid}`
  }
  if (kind === 'expiry') return `Срок действия вышел, сгорело ${size}`
  if (amount !== null && currency !== null)
    return `С баланса ушло ${size}, деньги: ${formatMoney({ amount: Math.abs(amount), currency })}`
  if (!spends.has(kind)) return `Забрано ${size}`
  return `Списано ${size}`
}
