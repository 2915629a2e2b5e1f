import { price } from '#contract/billing.ts'
import type { Model, Thinking, UsualCost } from '#contract/models.ts'
import { inputOf, type Message } from '#contract/threads.ts'
import { webPrice } from '#contract/web-search.ts'
import type { SpendPrice } from '#web/lib/spend-rule.ts'
import { roundToTwo, thoughtPrice, usualAnswer } from '../composer/estimate.ts'
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
  /** `most`: with an answer of the usual length; `about`: with one as long as this; `from`: its length is not known. */
  kind: 'exactly' | 'most' | 'about' | 'from'
}

/** The price of another answer to the same question; null when it is not known. Pages are read again. */
export function costToRepeat(
  { parts, input, output, thought, web }: Repeated,
  context: AgainContext,
): AgainCost | null {
  const { model, thinking, searchPrice } = context
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
  const usual = usualAnswer(context.usualCosts, model)
  const own = price(0, output, model, { thought: output > 0 ? (thought?.symbols ?? 0) : 0 })
  if (usual) {
    const high = usual.high + (thoughtPrice(model, thinking)?.high ?? 0)
    return { most: question + roundToTwo(Math.max(high, own)), least, kind: 'most' }
  }
  if (own === 0 && !options) return { most: least, least, kind: 'from' }
  return { most: question + own, least, kind: options ? 'most' : 'about' }
}

/** The price of the rest of an answer, which keeps its pages; null when it is not known. */
export function costOfRest(message: Pick<Message, 'parts' | 'content'>, context: AgainContext): AgainCost | null {
  const { model, thinking, usualCosts } = context
  if (message.parts === null) return null
  const least = costToContinue(message, model)
  const usual = usualAnswer(usualCosts, model)?.high ?? 0
  if (usual === 0) return { most: least, least, kind: 'from' }
  return { most: least + roundToTwo(usual + (thoughtPrice(model, thinking)?.high ?? 0)), least, kind: 'most' }
}
