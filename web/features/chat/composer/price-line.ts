import { type SingleSubscription, spendableSymbols } from '#contract/billing.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'
import { type AssistantSymbols, type Estimate, middle, type Range, roundToTwo } from './estimate.ts'

interface PriceContext extends Pick<Estimate, 'symbols' | 'personal' | 'files' | 'project' | 'least' | 'hasHistory'> {
  /** What the assistant and the project of the chat add. */
  added: AssistantSymbols | null
  /** The price of a search, and the highest price of its pages; null without them. */
  web?: { search: number; pages: number } | null
  /** What an answer usually costs with this model. */
  usual: Range
  /** The usual price of its thought; null when it is free or there is none. */
  thought: Range | null
  balance: Pick<SingleSubscription, 'availableTokens' | 'dailyCap' | 'spentToday'>
  /** An image has a fixed price. */
  isImage: boolean
}

interface PriceLine {
  /** «≈ 1 000» */
  price: string
  /** «останется 18 900», or why the balance will probably be too low. */
  rest: string
  /** «Вопрос и история 315, ответ обычно до 850»; null for a fixed price. */
  parts: string | null
  /** What to suggest when the balance will probably be too low. */
  short: 'top-up' | 'daily-cap' | null
}

export function priceLine(context: PriceContext): PriceLine {
  const { symbols, least, web = null, usual, thought, balance, isImage } = context
  const left = spendableSymbols(balance)
  const isCapped = left < balance.availableTokens
  const whole = isImage ? symbols : symbols + middle(usual) + middle(thought) + (web ? web.search + web.pages : 0)
  const price = isImage ? `Изображение ${formatSymbols(symbols)}` : `≈ ${formatNumber(roundToTwo(whole))}`
  const parts = isImage ? null : partsLine(context)
  if (whole > left) {
    const rest = `${isCapped ? 'на сегодня осталось' : 'на балансе'} ${formatNumber(left)}`
    const canBegin = !isImage && least + (web?.search ?? 0) <= left
    const end = canBegin ? `${rest}: ответ может оборваться` : rest
    return { price, rest: `${end}.`, parts, short: isCapped ? 'daily-cap' : 'top-up' }
  }
  const rest = formatNumber(isImage ? left - symbols : roundedRest(left, whole))
  return { price, rest: `${isCapped ? 'сегодня останется' : 'останется'} ${rest}`, parts, short: null }
}

/** As exact as the price: 500 000 − ≈ 1 000 is 499 000, and not 498 987. */
function roundedRest(left: number, whole: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, whole))) - 1)
  return left - whole < step ? Math.floor(left - whole) : Math.floor((left - whole) / step) * step
}

/** «Вопрос 83, файлы 3 400, поиск 1 500, страницы до 4 000, ответ обычно до 900» */
function partsLine(context: PriceContext): string {
  const { symbols, personal, files, project = 0, hasHistory, added: all, web = null, usual, thought } = context
  const { project: ofProject } = all ?? {}
  // The project is a part of its own, so the question names only what the assistant adds.
  const added = all && {
    ...all,
    instructions: all.instructions - (ofProject?.instructions ?? 0),
    passages: all.passages - (ofProject?.passages ?? 0),
  }
  const question = symbols - personal - files - project
  const line = [
    question > 0 && `${questionName(hasHistory, added)} ${added?.passages ? 'до ' : ''}${formatNumber(question)}`,
    project > 0 && `проект ${ofProject?.passages ? 'до ' : ''}${formatNumber(project)}`,
    files > 0 && `файлы ${formatNumber(files)}`,
    personal > 0 && `личные инструкции ${formatNumber(personal)}`,
    web && webText(web),
    answerText(usual, thought),
  ]
    .filter((part) => typeof part === 'string')
    .join(', ')
  return line.charAt(0).toUpperCase() + line.slice(1)
}

/** «ответ с размышлениями обычно до 3 900» */
function answerText(usual: Range, thought: Range | null): string {
  const most = formatNumber(roundToTwo(usual.high + (thought?.high ?? 0)))
  return `${thought ? 'ответ с размышлениями' : 'ответ'} обычно до ${most}`
}

/** «обычно до 3 000»: beside each choice of how much to think. */
export function thoughtNote(thought: Range | null): string {
  return thought ? `обычно до ${formatNumber(roundToTwo(thought.high))}` : 'входит в цену'
}

/** «поиск 1 500, страницы до 4 000» */
export function webText({ search, pages }: { search: number; pages: number }): string {
  return `${search > 0 ? `поиск ${formatNumber(search)}, ` : ''}страницы до ${formatNumber(pages)}`
}

/** «Вопрос, история и инструкции» */
function questionName(hasHistory: boolean, added: PriceContext['added']): string {
  const parts = ['Вопрос', hasHistory && 'история', added?.instructions && 'инструкции', added?.passages && 'выдержки']
  if (added?.searchWords) parts.push('подбор слов')
  const names = parts.filter((part) => typeof part === 'string')
  const last = names.length > 1 ? ` и ${names.at(-1)}` : ''
  return names.slice(0, names.length > 1 ? -1 : 1).join(', ') + last
}
