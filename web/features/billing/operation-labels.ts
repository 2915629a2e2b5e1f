import { price, priceTerms } from '#contract/billing.ts'
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

/** «Вопрос 1 240 символов × 1 + ответ 412 × 2,5 = 2 270; осталось 58 760». */
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
  if (!spends.has(kind)) return `Забрано ${size}`
  return formula(operation) ?? `Списано ${size}`
}

const parts: Partial<Record<TransactionKind, [input: string, output: string]>> = {
  answer: ['Вопрос', 'ответ'],
  translate: ['Вопрос', 'ответ'],
  summary: ['Прочитано', 'сжато до'],
  minutes: ['Прочитано', 'написано'],
}

function formula(operation: Transaction): string | null {
  const { kind, symbols, input, output, inputRate, outputRate } = operation
  if (input === null || inputRate === null) return null
  const [question, answer] = parts[kind] ?? ['Запрос', 'результат']
  const names = { input: question, cached: 'из кэша', thought: 'размышления', output: answer, search: 'поиск' }
  const rates = {
    inputRate,
    outputRate: outputRate ?? 0,
    thoughtRate: operation.thoughtRate ?? 0,
    cachedRate: operation.cachedRate,
  }
  const extras = { thought: operation.thought ?? 0, cached: operation.cached ?? 0 }
  const whole = price(input, output ?? 0, rates, extras)
  const terms = priceTerms(input, output ?? 0, rates, extras).filter(
    ({ what }) => what !== 'output' || (output !== null && outputRate !== null),
  )
  const exact = Number(terms.reduce((sum, term) => sum + term.symbols * term.rate, 0).toFixed(6))
  const sum = terms.map((term) => {
    const size = term.what === 'input' ? formatSymbols(term.symbols) : formatNumber(term.symbols)
    return `${names[term.what]} ${size} × ${formatNumber(term.rate)}`
  })
  return [
    `${sum.join(' + ')} = ${formatNumber(exact)}`,
    whole !== exact && `, с округлением вверх ${formatNumber(whole)}`,
    whole !== -symbols && `, списано ${formatNumber(-symbols)}`,
  ]
    .filter(Boolean)
    .join('')
}
