import { type SingleSubscription, spendableSymbols } from '#contract/billing.ts'
import { formatNumber, formatSymbols, plural, upToSymbols } from '#web/lib/format.ts'
import type { Estimate } from './estimate.ts'

/** The text about the price of a question before it is sent. */

interface PriceContext extends Pick<Estimate, 'symbols' | 'personal' | 'least' | 'hasHistory'> {
  /** What the assistant of the chat adds. */
  added: { instructions: number; passages: number } | null
  /** The price of a search, and the highest price of its pages; null without them. */
  web?: { search: number; pages: number } | null
  /** What an answer usually costs with this model; null when too few were written. */
  usual: { low: number; high: number } | null
  /** The usual price of its thought; null when it is free or there is none. */
  thought: { low: number; high: number } | null
  balance: Pick<SingleSubscription, 'availableTokens' | 'dailyCap' | 'spentToday'>
  /** An image has a fixed price. */
  isPicture: boolean
}

interface PriceLine {
  text: string
  /** How long the balance lasts; shown only on wide screens. */
  more: string | null
  /** What to suggest when the balance will probably be too low. */
  short: 'top-up' | 'daily-cap' | null
}

/**
 * «Вопрос 83 + ваши инструкции 140 + ответ обычно 300–900»; the balance after the answer is not predicted.
 */
export function priceLine(context: PriceContext): PriceLine {
  const { symbols, personal, least, hasHistory, added, web, usual, thought, balance, isPicture } = context
  const left = spendableSymbols(balance)
  const short = left < balance.availableTokens ? 'daily-cap' : 'top-up'
  const rest = short === 'daily-cap' ? `на сегодня осталось ${formatNumber(left)}` : `на балансе ${formatNumber(left)}`
  if (isPicture) {
    const text = `Изображение · ${formatSymbols(symbols)}`
    return symbols > left
      ? { text: `${text}, а ${rest}.`, more: null, short }
      : { text: `${text} · останется ${formatNumber(left - symbols)}`, more: null, short: null }
  }
  const isMost = Boolean(added?.passages)
  const name = questionName(hasHistory, added)
  const question = symbols - personal
  const asked = `${name} ${isMost ? 'до ' : ''}${formatNumber(question)}`
  const own = personal > 0 ? ` + ваши инструкции ${formatNumber(personal)}` : ''
  const read = web ? ` + ${webPrice(web)}` : ''
  const price = web
    ? `${asked}${own}${read}`
    : personal > 0
      ? `${asked} + ваши инструкции ${formatSymbols(personal)}`
      : `${name} ${isMost ? upToSymbols(question) : formatSymbols(question)}`
  if (least + (web?.search ?? 0) > left) return { text: `${price}, а ${rest}.`, more: null, short }
  if (!usual && !thought) {
    return { text: `${price}, цена ответа зависит от его длины`, more: null, short: null }
  }
  const text = `${asked}${own}${read} + ${answerText(usual, thought)}`
  const whole = symbols + middle(usual) + middle(thought) + (web ? web.search + web.pages : 0)
  if (whole > left) return { text: `${text}, а ${rest}: ответ может оборваться.`, more: null, short }
  if (!usual) return { text: `${text}, цена ответа зависит от его длины`, more: null, short: null }
  return { text, more: enoughFor(Math.floor(left / Math.max(1, whole))), short: null }
}

type Range = PriceContext['usual']

/** «ответ с размышлениями обычно 800–3 900» */
function answerText(usual: Range, thought: Range): string {
  if (!usual) return `размышления обычно ${formatRange(thought ?? nothing)}`
  const { low, high } = thought ?? nothing
  const name = thought ? 'ответ с размышлениями' : 'ответ'
  return `${name} обычно ${formatRange({ low: usual.low + low, high: usual.high + high })}`
}

const nothing = { low: 0, high: 0 }
const middle = (range: Range) => (range ? (range.low + range.high) / 2 : 0)

/** «+ 500–3 000 символов»: beside each choice of how much to think. */
export function thoughtNote(thought: Range): string {
  return thought ? `+ ${formatRange(thought)} символов` : 'входит в цену'
}

/** «поиск 1 500 + страницы до 12 000 символов» */
export function webPrice({ search, pages }: { search: number; pages: number }): string {
  return `${search > 0 ? `поиск ${formatNumber(search)} + ` : ''}страницы ${upToSymbols(pages)}`
}

/** «Вопрос, история и инструкции» */
function questionName(hasHistory: boolean, added: PriceContext['added']): string {
  const parts = ['Вопрос', hasHistory && 'история', added?.instructions && 'инструкции', added?.passages && 'выдержки']
  const names = parts.filter((part) => typeof part === 'string')
  const last = names.length > 1 ? ` и ${names.at(-1)}` : ''
  return names.slice(0, names.length > 1 ? -1 : 1).join(', ') + last
}

function formatRange({ low, high }: { low: number; high: number }): string {
  const [from, to] = [low, high].map((n) => formatNumber(roundToTwo(n)))
  if (low === 0) return `до ${to}`
  return from === to ? `${from}` : `${from}–${to}`
}

function enoughFor(count: number): string {
  const n = roundToTwo(count)
  return `хватит примерно на ${formatNumber(n)} ${plural(n, 'такой вопрос', 'таких вопроса', 'таких вопросов')}`
}

/** Rounds to two significant digits: 1 234 → 1 200. */
function roundToTwo(n: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, n))) - 1)
  return Math.round(n / step) * step
}
