import { countSymbols, FREE_STOPS, price, type Rates, type SingleSubscription } from '#contract/billing.ts'
import { type EarlyStop, inputOf, type Message } from '#contract/threads.ts'
import { formatNumber, formatSymbols, plural } from '#web/lib/format.ts'

/** What an answer cost, as text. */

interface CostLine {
  name: string
  symbols: number
}

/** The parts of the prompt and of the answer; empty parts are left out. */
export function costLines({ parts, input, output }: Pick<Message, 'parts' | 'input' | 'output'>): CostLine[] {
  const asked = parts
    ? [
        { name: 'Вопрос', symbols: parts.question },
        { name: 'Сжатое начало чата', symbols: parts.summary ?? 0 },
        { name: historyName(parts.historyMessages), symbols: parts.history },
        { name: 'Инструкции ассистента', symbols: parts.instructions },
        { name: 'Выдержки из файлов ассистента', symbols: parts.passages },
        { name: 'Ваши инструкции', symbols: parts.personal },
        { name: 'Файлы', symbols: parts.files },
      ]
    : [{ name: 'Вопрос', symbols: input }]
  const sum = asked.reduce((total, line) => total + line.symbols, 0)
  // A continued answer was requested more than once; `parts` describe the last request.
  const again = parts && input > sum ? [{ name: 'Прежние запросы', symbols: input - sum }] : []
  const lines = [...asked, ...again, { name: 'Ответ', symbols: output }]
  return lines.filter(({ symbols }, i) => symbols > 0 || i === lines.length - 1)
}

function historyName(count: number): string {
  return `История: ${formatNumber(count)} ${plural(count, 'сообщение', 'сообщения', 'сообщений')}`
}

/** «1 240 × 1 + 412 × 2,5 = 2 270»; null when the current rates do not give the charge. */
export function costFormula({ input, output, charged }: Pick<Message, 'input' | 'output' | 'charged'>, rates: Rates) {
  if (price(input, output, rates) !== charged) return null
  const asked = `${formatNumber(input)} × ${formatNumber(rates.inputRate)}`
  return `${asked} + ${formatNumber(output)} × ${formatNumber(rates.outputRate)} = ${formatNumber(charged)}`
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

/** The cost is named only for a stop before the first word: other answers show it themselves. */
export function stoppedLabel({ earlyStop }: Pick<Message, 'earlyStop'>): string {
  return earlyStop ? `Ответ остановлен до первого слова. ${costOfStop(earlyStop)}` : 'Ответ остановлен.'
}

/** «Бесплатная остановка 2 из 3 за сегодня.» */
export function costOfStop({ charged, free }: EarlyStop): string {
  if (free !== null) return `Бесплатная остановка ${free} из ${FREE_STOPS} за сегодня.`
  return charged === 0 ? 'Ничего не списано.' : `Вопрос уже был у модели: списано ${formatSymbols(charged)}.`
}

type Balance = Pick<SingleSubscription, 'availableTokens' | 'dailyCap' | 'spentToday'>

/** Symbols that can be spent today, within the daily limit. */
export function spendable({ availableTokens, dailyCap, spentToday }: Balance): number {
  return dailyCap === null ? availableTokens : Math.max(0, Math.min(availableTokens, dailyCap - spentToday))
}

type Repeated = Pick<Message, 'parts' | 'input' | 'output'>
type Priced = Rates & { kind: string; imagePrice: number | null }

/** What another answer to the same question costs: exactly for an image, else about what this one did, or at least. */
export function costToRepeat({ parts, input, output }: Repeated, model: Priced) {
  if (model.kind === 'image') return { symbols: model.imagePrice, kind: 'exactly' } as const
  const asked = parts ? inputOf(parts) : input
  if (asked === 0) return { symbols: null, kind: 'from' } as const
  return { symbols: price(asked, Math.max(1, output), model), kind: output > 0 ? 'about' : 'from' } as const
}

/** The minimal price of continuing an answer: the prompt and the answer so far are sent again. */
export function costToContinue({ parts, content }: Pick<Message, 'parts' | 'content'>, rates: Rates): number {
  const asked = parts ? inputOf(parts) : 0
  return price(asked + countSymbols(content), 1, rates)
}
