import { countSymbols, FREE_STOPS, type PriceTerm, price, priceTerms, type Rates } from '#contract/billing.ts'
import { type EarlyStop, inputOf, type Message } from '#contract/threads.ts'
import { toWebOptions, type WebOptions } from '#contract/web-search.ts'
import { formatNumber, formatSymbols, plural } from '#web/lib/format.ts'

interface CostLine {
  name: string
  symbols: number
  /** The rate, if it is not that of the question or of the answer; 0 is free. */
  rate?: number
}

type AnswerSizes = Pick<Message, 'parts' | 'input' | 'output' | 'thought' | 'web'>

/** The parts of the prompt, the thought and the answer; empty parts are left out. */
export function costLines(
  { parts, input, output, thought, web }: AnswerSizes,
  terms: readonly PriceTerm[] = [],
): CostLine[] {
  const inputLines = parts
    ? [
        { name: 'Вопрос', symbols: parts.question },
        { name: 'Сжатое начало чата', symbols: parts.summary ?? 0 },
        { name: historyName(parts.historyMessages), symbols: parts.history },
        { name: 'Инструкции ассистента', symbols: parts.instructions },
        { name: 'Выдержки из файлов ассистента', symbols: parts.passages ?? 0 },
        { name: 'Инструкции проекта', symbols: parts.project ?? 0 },
        { name: 'Выдержки из файлов проекта', symbols: parts.projectPassages ?? 0 },
        { name: 'Подбор слов для поиска', symbols: parts.searchWords ?? 0 },
        { name: 'Ваши инструкции', symbols: parts.personal ?? 0 },
        { name: 'Файлы', symbols: parts.files },
        { name: 'Страницы из интернета', symbols: parts.web ?? 0 },
      ]
    : [{ name: 'Вопрос', symbols: input }]
  const sum = inputLines.reduce((total, line) => total + line.symbols, 0)
  // A continued answer was requested more than once; `parts` describe the last request.
  const again = parts && input > sum ? [{ name: 'Прежние запросы', symbols: input - sum }] : []
  const cached = terms.find(({ what }) => what === 'cached')
  const lines = [
    ...inputLines,
    ...again,
    ...(cached ? [{ name: 'из них из кэша', symbols: cached.symbols, rate: cached.rate }] : []),
    { name: 'Поиск в интернете', symbols: web?.price ?? 0 },
    { name: 'Размышления', symbols: thought?.symbols ?? 0, ...thoughtRateIn(terms) },
    { name: 'Ответ', symbols: output },
  ]
  return lines.filter(({ symbols }, i) => symbols > 0 || i === lines.length - 1)
}

/** The rate is unknown without the terms of the price. */
function thoughtRateIn(terms: readonly PriceTerm[]): { rate?: number } {
  return terms.length > 0 ? { rate: terms.find(({ what }) => what === 'thought')?.rate ?? 0 } : {}
}

/** «6 200 × 0,5», or only the number. */
export function lineFigure({ symbols, rate }: CostLine): string {
  if (rate === undefined) return formatNumber(symbols)
  return rate === 0 ? `${formatNumber(symbols)}, входят в цену` : `${formatNumber(symbols)} × ${formatNumber(rate)}`
}

function historyName(count: number): string {
  return `История: ${formatNumber(count)} ${plural(count, 'сообщение', 'сообщения', 'сообщений')}`
}

type Charged = Pick<Message, 'input' | 'output' | 'charged' | 'thought' | 'cached' | 'web'>

/** The terms of the charge; empty when the current rates do not add up to it. */
export function termsOf({ input, output, charged, thought, cached, web }: Charged, rates: Rates): PriceTerm[] {
  const extras = { thought: thought?.symbols ?? 0, cached: cached ?? 0 }
  const all = { ...rates, searchPrice: web?.price ?? 0 }
  return price(input, output, all, extras) === charged ? priceTerms(input, output, all, extras) : []
}

const termNames: Record<PriceTerm['what'], string> = {
  input: '',
  cached: 'из кэша ',
  thought: 'размышления ',
  output: '',
  search: 'поиск ',
}

/** «1 240 × 1 + размышления 6 200 × 0,5 + 412 × 2,5 = 5 370» */
export function costFormula(terms: readonly PriceTerm[], charged: number): string {
  const parts = terms.map(({ what, symbols, rate }) =>
    what === 'search'
      ? `${termNames.search}${formatNumber(symbols)}`
      : `${termNames[what]}${formatNumber(symbols)} × ${formatNumber(rate)}`,
  )
  return `${parts.join(' + ')} = ${formatNumber(charged)}`
}

/** «В запрос не вошли 4 ранних сообщения: они не помещаются в модель.» */
export function cutMessagesLabel(count: number): string | null {
  if (count === 0) return null
  const verb = plural(count, 'не вошло', 'не вошли', 'не вошли')
  const noun = plural(count, 'раннее сообщение', 'ранних сообщения', 'ранних сообщений')
  const why = count === 1 ? 'оно не помещается в модель' : 'они не помещаются в модель'
  return `В запрос ${verb} ${formatNumber(count)} ${noun}: ${why}.`
}

export function costTitle(charged: number): string {
  return charged === 0 ? 'Бесплатно' : formatSymbols(charged)
}

/** Names the cost only for a stop before the first word: other answers show their cost below the text. */
export function stoppedLabel(message: Pick<Message, 'earlyStop' | 'thought' | 'content'>): string {
  const { earlyStop } = message
  if (endedInThought(message)) return `Ответ остановлен в размышлениях.${earlyStop ? ` ${costOfStop(earlyStop)}` : ''}`
  return earlyStop ? `Ответ остановлен до первого слова. ${costOfStop(earlyStop)}` : 'Ответ остановлен.'
}

export function endedInThought({ content, thought }: Pick<Message, 'content' | 'thought'>): boolean {
  return content === '' && Boolean(thought && (thought.text !== '' || thought.symbols > 0))
}

/** «Бесплатная остановка 2 из 3 за сегодня.» */
export function costOfStop({ charged, free }: EarlyStop): string {
  if (free !== null) return `Бесплатная остановка ${free} из ${FREE_STOPS} за сегодня.`
  return charged === 0 ? 'Ничего не списано.' : `Вопрос уже был у модели: списано ${formatSymbols(charged)}.`
}

/** The web search and pages requested for an answer; null for none. */
export function requestedWeb(web: Message['web']): WebOptions | null {
  return web ? toWebOptions(web.request) : null
}

/** The minimal price of continuing an answer: the prompt and the answer so far are sent again. */
export function costToContinue({ parts, content }: Pick<Message, 'parts' | 'content'>, rates: Rates): number {
  const sent = parts ? inputOf(parts) : 0
  return price(sent + countSymbols(content), 1, rates)
}
