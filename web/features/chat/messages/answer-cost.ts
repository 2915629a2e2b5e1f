import { countSymbols, FREE_STOPS, price, type Rates } from '#contract/billing.ts'
import { type EarlyStop, inputOf, type Message } from '#contract/threads.ts'
import { toWebOptions, type WebOptions } from '#contract/web-search.ts'
import { formatNumber, formatSymbols, plural } from '#web/lib/format.ts'

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
