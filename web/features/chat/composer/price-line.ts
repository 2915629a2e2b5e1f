import { type SingleSubscription, spendableSymbols } from '#contract/billing.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'
import { type AssistantSymbols, type Estimate, mostNamed, type Range, roundToTwo } from './estimate.ts'

interface PriceContext extends Pick<Estimate, 'symbols' | 'personal' | 'files' | 'project' | 'least' | 'hasHistory'> {
  /** What the assistant and the project of the chat add. */
  added: AssistantSymbols | null
  /** The price of a search, and the highest price of its pages; null without them. */
  web?: { search: number; pages: number } | null
  /** What an answer usually costs with this model; null when too few were written. */
  usual: Range | null
  /** The usual price of its thought; null when it is free or there is none. */
  thought: Range | null
  balance: Pick<SingleSubscription, 'availableTokens' | 'dailyCap' | 'spentToday'>
  /** An image has a fixed price. */
  isImage: boolean
}

interface PriceLine {
  /** «Вопрос 83 + ответ обычно 300–900» */
  parts: string
  /** «всего обычно до 983 · останется от 19 017»: the sum of the parts; null without one. */
  total: string | null
  /** «цена ответа зависит от его длины», when there is nothing to add up. */
  note?: string
  /** What to suggest when the balance will probably be too low. */
  short: 'top-up' | 'daily-cap' | null
}

export function priceLine(context: PriceContext): PriceLine {
  const { symbols, least, web = null, usual, thought, balance, isImage } = context
  const left = spendableSymbols(balance)
  const short = left < balance.availableTokens ? 'daily-cap' : 'top-up'
  const rest = short === 'daily-cap' ? `на сегодня осталось ${formatNumber(left)}` : `на балансе ${formatNumber(left)}`
  if (isImage) {
    const parts = `Изображение ${formatSymbols(symbols)}`
    return symbols > left
      ? { parts: `${parts}, а ${rest}.`, total: null, short }
      : { parts, total: `останется ${formatNumber(left - symbols)}`, short: null }
  }
  const question = questionParts(context)
  if (least + (web?.search ?? 0) > left) return { parts: `${question.join(' + ')}, а ${rest}.`, total: null, short }
  const answer = usual || thought ? answerText(usual, thought) : null
  const parts = [...question, ...(answer ? [answer] : [])].join(' + ')
  const whole = symbols + middle(usual) + middle(thought) + (web ? web.search + web.pages : 0)
  if (whole > left) return { parts: `${parts}, а ${rest}: ответ может оборваться.`, total: null, short }
  const most = mostNamed({ symbols, web, usual, thought })
  if (!usual) {
    const sum = question.length > 1 || answer ? `всего до ${formatNumber(most)} и ответ по его длине` : null
    return { parts, total: sum, ...(!sum && { note: 'цена ответа зависит от его длины' }), short: null }
  }
  const total = `всего обычно до ${formatNumber(most)}`
  return { parts, total: most > left ? total : `${total} · останется от ${formatNumber(left - most)}`, short: null }
}

/** «Вопрос 83», «файлы 3 400», «поиск 1 500», «страницы до 4 000» */
function questionParts({ symbols, personal, files, project = 0, hasHistory, added: all, web = null }: PriceContext) {
  const { project: ofProject } = all ?? {}
  // The project is a part of its own, so the question names only what the assistant adds.
  const added = all && {
    ...all,
    instructions: all.instructions - (ofProject?.instructions ?? 0),
    passages: all.passages - (ofProject?.passages ?? 0),
  }
  const isMost = Boolean(added?.passages)
  const question = `${questionName(hasHistory, added)} ${isMost ? 'до ' : ''}${formatNumber(symbols - personal - files - project)}`
  return [
    question,
    project > 0 && `проект ${ofProject?.passages ? 'до ' : ''}${formatNumber(project)}`,
    files > 0 && `файлы ${formatNumber(files)}`,
    personal > 0 && `ваши инструкции ${formatNumber(personal)}`,
    web && webText(web),
  ].filter((part) => typeof part === 'string')
}

/** «ответ с размышлениями обычно 800–3 900» */
function answerText(usual: Range | null, thought: Range | null): string {
  if (!usual) return `размышления обычно ${formatRange(thought ?? nothing)}`
  const { low, high } = thought ?? nothing
  const name = thought ? 'ответ с размышлениями' : 'ответ'
  return `${name} обычно ${formatRange({ low: usual.low + low, high: usual.high + high })}`
}

const nothing = { low: 0, high: 0 }
const middle = (range: Range | null) => (range ? (range.low + range.high) / 2 : 0)

/** «обычно до 3 000»: beside each choice of how much to think. */
export function thoughtNote(thought: Range | null): string {
  return thought ? `обычно до ${formatNumber(roundToTwo(thought.high))}` : 'входит в цену'
}

/** «поиск 1 500 + страницы до 4 000» */
export function webText({ search, pages }: { search: number; pages: number }): string {
  return `${search > 0 ? `поиск ${formatNumber(search)} + ` : ''}страницы до ${formatNumber(pages)}`
}

/** «Вопрос, история и инструкции» */
function questionName(hasHistory: boolean, added: PriceContext['added']): string {
  const parts = ['Вопрос', hasHistory && 'история', added?.instructions && 'инструкции', added?.passages && 'выдержки']
  if (added?.searchWords) parts.push('подбор слов')
  const names = parts.filter((part) => typeof part === 'string')
  const last = names.length > 1 ? ` и ${names.at(-1)}` : ''
  return names.slice(0, names.length > 1 ? -1 : 1).join(', ') + last
}

function formatRange({ low, high }: Range): string {
  const [from, to] = [low, high].map((n) => formatNumber(roundToTwo(n)))
  if (low === 0) return `до ${to}`
  return from === to ? `${from}` : `${from}–${to}`
}
