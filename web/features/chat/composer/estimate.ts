import { countSymbols, MESSAGES_WHEN_HISTORY_OFF, price } from '#contract/billing.ts'
import { type Attachment, IMAGE_SYMBOLS } from '#contract/files.ts'
import { changePrice, MAX_IMAGE_PROMPT } from '#contract/image-address.ts'
import type { Model, Thinking, UsualCost } from '#contract/models.ts'
import { USUAL_THOUGHT } from '#contract/thinking.ts'
import type { LibrarySymbols, Message } from '#contract/threads.ts'
import type { Settings } from '#contract/users.ts'

/** Estimates the price of a question by the rules of the server. */

type Limits = Pick<
  Model,
  'kind' | 'imagePrice' | 'contextSymbols' | 'maxOutputSymbols' | 'inputRate' | 'outputRate' | 'vision'
>
type SentMessage = Pick<Message, 'content' | 'files'>

/** The model with the price of a change, for a message that asks to change an image. */
export const pricedFor = <Priced extends Pick<Model, 'imagePrice' | 'imageSkills'>>(
  model: Priced,
  imageId: string | null | undefined,
) => (imageId ? { ...model, imagePrice: changePrice(model) } : model)

/** The share of the context reserved for the answer when the model has no limit of its own. */
const OUTPUT_SHARE = 0.25
/** The share of the remaining context that passages may take. */
const PASSAGE_SHARE = 0.5

/** Sizes of the messages that are sent as history, oldest first. */
export function historySizes(
  messages: readonly SentMessage[],
  settings: Pick<Settings, 'threadHistory' | 'threadHistoryLimit'>,
  { vision }: Pick<Model, 'vision'>,
): number[] {
  const limit = settings.threadHistory ? settings.threadHistoryLimit : MESSAGES_WHEN_HISTORY_OFF
  return messages.slice(-limit).map(({ content, files }) => countSymbols(content) + filesSize(files, vision))
}

/** A server of the previous release sends nothing about search words. */
export interface AssistantSymbols extends Omit<LibrarySymbols, 'searchWords'> {
  searchWords?: number
  /** The part of the above that a project adds; absent without one. */
  project?: Pick<LibrarySymbols, 'instructions' | 'passages'>
  /** The project replaces the person's own instructions. */
  replacesPersonal?: boolean
}

export interface Estimate {
  /** The price of the question; with the files of an assistant it is the upper limit. */
  symbols: number
  /** The part of the price for the user's own instructions. */
  personal: number
  /** The part of the price for the attached files. */
  files: number
  /** The part of the price for the project, with its files the upper limit; absent without one. */
  project?: number
  /** The least balance that is needed: for the question and one symbol of the answer. */
  least: number
  hasHistory: boolean
  isTooLong: boolean
}

/** The caller counts `history`, `summary` and `personal` (the user's own instructions) once, not on every key press. */
export function estimate(
  history: readonly number[],
  text: string,
  files: readonly Attachment[],
  model: Limits,
  added: AssistantSymbols | null = null,
  ownInstructions = 0,
  summary = 0,
): Estimate {
  if (model.kind === 'image') {
    const symbols = model.imagePrice ?? 0
    return {
      symbols,
      personal: 0,
      files: 0,
      least: symbols,
      hasHistory: false,
      isTooLong: countSymbols(text) > MAX_IMAGE_PROMPT,
    }
  }
  const personal = added?.replacesPersonal ? 0 : ownInstructions
  const attached = filesSize(files, model.vision)
  const own = countSymbols(text) + attached + (added?.instructions ?? 0) + personal
  const passages = Math.min(
    added?.passages ?? 0,
    Math.max(0, Math.floor((promptCapacity(model) - own - summary) * PASSAGE_SHARE)),
  )
  // A summary that does not fit is left out, like messages.
  const summarySent = own + summary <= promptCapacity(model) ? summary : 0
  let left = promptCapacity(model) - own - summarySent - passages
  const first = history.findLastIndex((size) => {
    left -= size
    return left < 0
  })
  const sent = history.slice(first + 1).reduce((sum, size) => sum + size, 0)
  const input = own + summarySent + passages + sent + (added?.searchWords ?? 0)
  const ofProject = added?.project
  const project = ofProject ? ofProject.instructions + Math.min(ofProject.passages, passages) : 0
  const rest = input - personal - attached
  return {
    symbols: price(input, 0, model),
    personal: price(input, 0, model) - price(input - personal, 0, model),
    files: price(input - personal, 0, model) - price(input - personal - attached, 0, model),
    ...(project > 0 && { project: price(rest, 0, model) - price(rest - project, 0, model) }),
    least: price(input, 1, model),
    hasHistory: sent + summarySent > 0,
    isTooLong: own > promptCapacity(model),
  }
}

/** A usual price: the middle half lies in it. */
export interface Range {
  low: number
  high: number
}

interface NamedParts {
  symbols: number
  web: { search: number; pages: number } | null
  usual: Range
  thought: Range | null
}

/** The most that is named for a question: exact parts, the highest price of pages, the usual price of an answer. */
export function mostNamed({ symbols, web, usual, thought }: NamedParts): number {
  // Rounded as the line does it, so that the numbers on the screen add up.
  const answer = roundToTwo(usual.high + (thought?.high ?? 0))
  return symbols + (web ? web.search + web.pages : 0) + answer
}

/** Rounds to two significant digits: 1 234 → 1 200. */
export function roundToTwo(n: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, n))) - 1)
  return Math.round(n / step) * step
}

/** How long answers of most models are: named until enough of this model were written. */
const COMMON_ANSWER = { low: 400, high: 1600 }

/** Whether enough answers of the model were written to know their usual price. */
export const hasUsual = (costs: readonly UsualCost[] | undefined, model: Model) =>
  Boolean(costs?.some(({ modelId, answer }) => modelId === model.id && answer))

/** What an answer of the model usually costs. */
export function usualAnswer(costs: readonly UsualCost[] | undefined, model: Model): Range {
  const { low, high } = costs?.find(({ modelId }) => modelId === model.id)?.answer ?? COMMON_ANSWER
  return { low: price(0, low, model), high: price(0, high, model) }
}

export const middle = (range: Range | null) => (range ? (range.low + range.high) / 2 : 0)

/** The usual price of the thought before an answer; null when it is free or there is none. */
export function thoughtPrice(
  model: Pick<Model, 'thinks' | 'thoughtRate' | 'inputRate' | 'outputRate'>,
  thinking: Thinking,
): Range | null {
  const { low, high } = USUAL_THOUGHT[model.thinks ? thinking : 'usual']
  const range = { low: price(0, 0, model, { thought: low }), high: price(0, 0, model, { thought: high }) }
  return range.high > 0 ? range : null
}

export function promptCapacity({
  contextSymbols,
  maxOutputSymbols,
}: Pick<Limits, 'contextSymbols' | 'maxOutputSymbols'>): number {
  if (contextSymbols === null) return Number.MAX_SAFE_INTEGER
  const wanted = Math.floor(contextSymbols * OUTPUT_SHARE)
  return contextSymbols - Math.min(maxOutputSymbols ?? wanted, wanted)
}

/** An image counts for a model with vision; one that was read is sent as its text, to every model. */
export function filesSize(files: readonly Attachment[], vision: boolean): number {
  return files.reduce((sum, { kind, symbols, scan }) => {
    if (kind === 'image' && !scan?.read) return vision ? sum + IMAGE_SYMBOLS : sum
    return sum + (symbols ?? 0)
  }, 0)
}
