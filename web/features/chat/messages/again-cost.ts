import { price } from '#contract/billing.ts'
import type { Model, Thinking, UsualCost } from '#contract/models.ts'
import { inputOf, type Message } from '#contract/threads.ts'
import { webPrice } from '#contract/web-search.ts'
import type { SpendPrice } from '#web/lib/spend-rule.ts'
import { hasUsual, middle, roundToTwo, thoughtPrice, usualAnswer } from '../composer/estimate.ts'
import { costToContinue, requestedWeb } from './answer-cost.ts'

type Repeated = Pick<Message, 'parts' | 'input' | 'output' | 'thought' | 'web'>

export interface AgainContext {
  model: Model
  thinking: Thinking
  /** What answers usually cost; undefined until it is known. */
  usualCosts: readonly UsualCost[] | undefined
  /** The price of a search; 0 without one. */
  searchPrice: number
}

export interface AgainCost extends SpendPrice {
  /** `most`: with an answer of the usual length; `about`: with one as long as before, or as most models write. */
  kind: 'exactly' | 'most' | 'about'
}

/** The price of another answer to the same question; null when it is not known. Pages are read again. */
export function costToRepeat(
  { parts, input, output, thought, web }: Repeated,
  context: AgainContext,
): AgainCost | null {
  const { model, searchPrice } = context
  if (model.kind === 'image') {
    const most = model.imagePrice
    return most === null ? null : { most, least: most, kind: 'exactly' }
  }
  const sent = (parts ? inputOf(parts) : input) - (parts?.web ?? 0)
  if (sent <= 0) return null
  const options = requestedWeb(web)
  const added = options ? webPrice(options, searchPrice, model) : { search: 0, pages: 0 }
  const question = price(sent, 0, model) + added.search + added.pages
  const least = price(sent, 1, model) + added.search
  const answer = answerCost(context, { output, thought })
  return { most: question + answer.symbols, least, kind: options ? 'most' : answer.kind }
}

/** The price of an answer: as the model usually writes, else as long as the one before, else as most models write. */
export function answerCost(
  { model, thinking, usualCosts }: AgainContext,
  before: Pick<Repeated, 'output' | 'thought'> | undefined,
): { symbols: number; kind: 'most' | 'about' } {
  const { output, thought } = before ?? { output: 0, thought: null }
  const own = price(0, output, model, { thought: output > 0 ? (thought?.symbols ?? 0) : 0 })
  const [usual, thinks] = [usualAnswer(usualCosts, model), thoughtPrice(model, thinking)]
  if (hasUsual(usualCosts, model))
    return { symbols: roundToTwo(Math.max(usual.high + (thinks?.high ?? 0), own)), kind: 'most' }
  return { symbols: own > 0 ? own : roundToTwo(middle(usual) + middle(thinks)), kind: 'about' }
}

/** The price of the rest of an answer, which keeps its pages; null when it is not known. */
export function costOfRest(message: Pick<Message, 'parts' | 'content'>, context: AgainContext): AgainCost | null {
  if (message.parts === null) return null
  const least = costToContinue(message, context.model)
  const answer = answerCost(context, undefined)
  return { most: least + answer.symbols, least, kind: answer.kind }
}
