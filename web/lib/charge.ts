import { type PriceTerm, price, priceTerms, type Rates } from '#contract/billing.ts'
import type { InputParts, Message } from '#contract/threads.ts'
import type { Transaction, TransactionKind } from '#contract/transactions.ts'
import { formatNumber, plural } from './format.ts'

/** What was charged for one request to a model, wherever it is shown. */
export interface Charge {
  charged: number
  input: number
  /** Null when they are unknown: the message is gone, or it was charged several times. */
  parts: InputParts | null
  output: number
  thought: number
  searchPrice: number
  /** The terms of the price; empty when the rates of that day are unknown. */
  terms: PriceTerm[]
  /** What input and output are called. */
  names: readonly [input: string, output: string]
}

type Charged = Pick<Message, 'parts' | 'input' | 'output' | 'charged' | 'thought' | 'cached' | 'web'>

/** A message knows its sizes but not its rates: today's count only when they give what was charged. */
export function chargeOfMessage(message: Charged, rates: Rates | undefined): Charge {
  const { parts, input, output, charged, cached } = message
  const sizes = { thought: message.thought?.symbols ?? 0, cached: cached ?? 0 }
  const searchPrice = message.web?.price ?? 0
  const all = rates && { ...rates, searchPrice }
  const terms = all && price(input, output, all, sizes) === charged ? priceTerms(input, output, all, sizes) : []
  return { charged, input, parts, output, thought: sizes.thought, searchPrice, terms, names: answerNames }
}

const answerNames = ['Запрос', 'Ответ'] as const
const namesOf: Partial<Record<TransactionKind, Charge['names']>> = {
  summary: ['Прочитано', 'Сжато до'],
  minutes: ['Прочитано', 'Написано'],
}

/** Null for an operation with a fixed price, or none. */
export function chargeOfOperation(operation: Transaction): Charge | null {
  const { kind, symbols, input, inputRate, outputRate, thoughtRate, cachedRate, inputParts, searchPrice } = operation
  if (symbols > 0 || input === null || inputRate === null) return null
  const output = operation.output ?? 0
  const sizes = { thought: operation.thought ?? 0, cached: operation.cached ?? 0 }
  const rates = { inputRate, outputRate: outputRate ?? 0, thoughtRate: thoughtRate ?? 0, cachedRate, searchPrice }
  return {
    ...{ charged: -symbols, input, parts: inputParts, output, thought: sizes.thought, searchPrice },
    terms: priceTerms(input, output, rates, sizes),
    names: namesOf[kind] ?? answerNames,
  }
}

interface ChargeLine {
  name: string
  symbols: number
  /** The rate, if it is not that of the request or of the answer; 0 is free. */
  rate?: number
}

/** The parts of the request, the thought and the answer; empty parts are left out. */
export function chargeLines({ input, parts, output, thought, searchPrice, terms, names }: Charge): ChargeLine[] {
  const inputLines = parts ? linesOfParts(parts) : [{ name: names[0], symbols: input }]
  const sum = inputLines.reduce((total, line) => total + line.symbols, 0)
  // A continued answer was requested more than once; `parts` describe the last request.
  const again = parts && input > sum ? [{ name: 'Прежние запросы', symbols: input - sum }] : []
  const cached = terms.find(({ what }) => what === 'cached')
  const lines = [
    ...inputLines,
    ...again,
    ...(cached ? [{ name: 'из них из кэша', symbols: cached.symbols, rate: cached.rate }] : []),
    { name: 'Поиск в интернете', symbols: searchPrice },
    { name: 'Размышления', symbols: thought, ...thoughtRateIn(terms) },
    { name: names[1], symbols: output },
  ]
  return lines.filter(({ symbols }, i) => symbols > 0 || i === lines.length - 1)
}

const linesOfParts = (parts: InputParts): ChargeLine[] => [
  { name: 'Вопрос', symbols: parts.question },
  { name: 'Сжатое начало чата', symbols: parts.summary ?? 0 },
  { name: historyName(parts.historyMessages), symbols: parts.history },
  { name: 'Инструкции ассистента', symbols: parts.instructions },
  { name: 'Выдержки из файлов ассистента', symbols: parts.passages ?? 0 },
  { name: 'Инструкции проекта', symbols: parts.project ?? 0 },
  { name: 'Выдержки из файлов проекта', symbols: parts.projectPassages ?? 0 },
  { name: 'Подбор слов для поиска', symbols: parts.searchWords ?? 0 },
  { name: 'Личные инструкции', symbols: parts.personal ?? 0 },
  { name: 'Файлы', symbols: parts.files },
  { name: 'Страницы из интернета', symbols: parts.web ?? 0 },
]

/** The rate is unknown without the terms of the price. */
function thoughtRateIn(terms: readonly PriceTerm[]): { rate?: number } {
  return terms.length > 0 ? { rate: terms.find(({ what }) => what === 'thought')?.rate ?? 0 } : {}
}

/** «6 200 × 0,5», or only the number. */
export function lineFigure({ symbols, rate }: ChargeLine): string {
  if (rate === undefined) return formatNumber(symbols)
  return rate === 0 ? `${formatNumber(symbols)}, входят в цену` : `${formatNumber(symbols)} × ${formatNumber(rate)}`
}

function historyName(count: number): string {
  return `История: ${formatNumber(count)} ${plural(count, 'сообщение', 'сообщения', 'сообщений')}`
}

const termNames: Record<PriceTerm['what'], string> = {
  input: '',
  cached: 'из кэша ',
  thought: 'размышления ',
  output: '',
  search: 'поиск ',
}

/** «1 240 × 1 + размышления 6 200 × 0,5 + 411 × 2,5 = 5 367,5, с округлением вверх 5 368» */
export function chargeFormula({ terms, charged }: Pick<Charge, 'terms' | 'charged'>): string {
  if (terms.length === 0) return 'Цена посчитана по коэффициентам модели в день ответа.'
  const parts = terms.map(({ what, symbols, rate }) =>
    what === 'search'
      ? `${termNames.search}${formatNumber(symbols)}`
      : `${termNames[what]}${formatNumber(symbols)} × ${formatNumber(rate)}`,
  )
  const exact = Number(terms.reduce((sum, term) => sum + term.symbols * term.rate, 0).toFixed(6))
  const whole = Math.ceil(exact)
  return [
    `${parts.join(' + ')} = ${formatNumber(exact)}`,
    whole !== exact && `, с округлением вверх ${formatNumber(whole)}`,
    whole !== charged && `, списано ${formatNumber(charged)}`,
  ]
    .filter(Boolean)
    .join('')
}
