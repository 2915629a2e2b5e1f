import { countSymbols, HISTORY_WHEN_OFF, price } from '#contract/billing.ts'
import { type Attachment, IMAGE_SYMBOLS } from '#contract/files.ts'
import { MAX_IMAGE_PROMPT } from '#contract/image-address.ts'
import type { Model } from '#contract/models.ts'
import type { Message, ThreadAssistant } from '#contract/threads.ts'
import type { Settings } from '#contract/users.ts'

/** What a question will cost before its answer, by the rules of the server. */

type Limits = Pick<
  Model,
  'kind' | 'imagePrice' | 'contextSymbols' | 'maxOutputSymbols' | 'inputRate' | 'outputRate' | 'vision'
>
type Said = Pick<Message, 'content' | 'files'>

/** The share of a window that is left to an answer whose length the model does not say. */
const OUTPUT_SHARE = 0.25
/** The share of the rest that excerpts of files may take. */
const PASSAGE_SHARE = 0.5

/** The sizes of the messages that will be sent along, oldest first. */
export function historySizes(
  messages: readonly Said[],
  settings: Pick<Settings, 'threadHistory' | 'threadHistoryLimit'>,
  { vision }: Pick<Model, 'vision'>,
): number[] {
  const kept = settings.threadHistory ? settings.threadHistoryLimit : HISTORY_WHEN_OFF
  return messages.slice(-kept).map(({ content, files }) => countSymbols(content) + filesSize(files, vision))
}

/** What an assistant adds to each question. */
export type Added = ThreadAssistant['symbols']

export interface Estimate {
  /** The price of the question; with an assistant's files at most so much. */
  symbols: number
  /** It is longer than the model can take. */
  isTooLong: boolean
}

/** `history` is counted once for many keys pressed. A picture has one price, whatever is said. */
export function estimate(
  history: readonly number[],
  text: string,
  files: readonly Attachment[],
  model: Limits,
  added: Added | null = null,
): Estimate {
  if (model.kind === 'image')
    return { symbols: model.imagePrice ?? 0, isTooLong: countSymbols(text) > MAX_IMAGE_PROMPT }
  const own = countSymbols(text) + filesSize(files, model.vision) + (added?.instructions ?? 0)
  const passages = Math.min(added?.passages ?? 0, Math.max(0, Math.floor((roomIn(model) - own) * PASSAGE_SHARE)))
  let left = roomIn(model) - own - passages
  const first = history.findLastIndex((size) => {
    left -= size
    return left < 0
  })
  const input = history.slice(first + 1).reduce((sum, size) => sum + size, own + passages)
  return { symbols: price(input, 0, model), isTooLong: own > roomIn(model) }
}

function roomIn({ contextSymbols, maxOutputSymbols }: Limits): number {
  if (contextSymbols === null) return Number.MAX_SAFE_INTEGER
  const wanted = Math.floor(contextSymbols * OUTPUT_SHARE)
  return contextSymbols - Math.min(maxOutputSymbols ?? wanted, wanted)
}

/** A picture counts only for a model that sees it. */
function filesSize(files: readonly Attachment[], vision: boolean): number {
  return files.reduce((sum, { kind, symbols }) => {
    if (kind === 'image') return sum + (vision ? (symbols ?? IMAGE_SYMBOLS) : 0)
    return sum + (symbols ?? 0)
  }, 0)
}
