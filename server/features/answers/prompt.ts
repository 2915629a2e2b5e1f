import { EXCERPT_SYMBOLS } from '#contract/assistants.ts'
import { countSymbols } from '#contract/billing.ts'
import type { InputParts, Source } from '#contract/threads.ts'
import { AppError } from '#server/lib/errors.ts'
import { type Passage, writeExcerptBlock } from '#server/llm/excerpt-block.ts'
import type { LlmMessage, LlmPicture } from '#server/llm/llm.ts'

/** A message with everything that is sent to the model for it. */
export interface Said {
  role: 'user' | 'assistant'
  content: string
  /** Texts of its documents, wrapped as they are sent. */
  documents: string[]
  /** Its pictures, and how many symbols they count as. */
  pictureSymbols: number
  pictures: LlmPicture[]
}

/** A passage with everything that is kept of it for its citation. */
export type CitedPassage = Source & Passage

export interface PromptOrder {
  /** Earlier messages, oldest first, already no more than the settings allow. */
  history: Said[]
  question: Said
  /** The answer so far, when it is to be continued. */
  begun: string
  /** An assistant's rules, and what was found in its files, best first. */
  instructions: string
  passages: readonly CitedPassage[]
  /** The model's window, and how much of it the answer may want. */
  contextSymbols: number | null
  maxOutputSymbols: number | null
}

export interface Prompt {
  messages: LlmMessage[]
  parts: InputParts
  /** The passages it was shown. */
  sources: Source[]
  /** What the model is given in all; the sum of the parts. */
  input: number
}

const GO_ON = 'Продолжи свой ответ ровно с того места, где он оборвался. Не повторяй сказанное и не извиняйся.'
/** The share of the window that is left to the answer when the model says nothing about its length. */
const OUTPUT_SHARE = 0.25
/** The share of what is left beside the question that passages may take; the rest is for earlier messages. */
const EXCERPT_SHARE = 0.5

/**
 * What the model is told, and what each part of it counts as. Earlier messages that do not fit are left out, oldest
 * first; passages of files, the least fitting first. Those go with the question and not with the rules: they are data.
 */
export function composePrompt(order: PromptOrder): Prompt {
  const { question, begun, instructions } = order
  const fixed = fixedSize(order)
  const room = roomFor(order)
  if (fixed > room) throw tooLong(room)
  const passages = fittingPassages(order.passages, roomForPassages(order))
  const block = writeExcerptBlock(passages)
  const spoken = order.history.filter((said) => sizeOf(said) > 0)
  const history = fitting(spoken, room - fixed - countSymbols(block))
  const parts: InputParts = {
    question: countSymbols(question.content),
    history: total(history) + countSymbols(begun),
    historyMessages: history.length + (begun ? 1 : 0),
    cutMessages: spoken.length - history.length,
    instructions: countSymbols(instructions),
    files: filesSize(question),
    excerpts: countSymbols(block),
  }
  return {
    messages: [
      ...(instructions ? [{ role: 'system' as const, content: instructions }] : []),
      ...history.map((said) => tell(said)),
      tell(question, block),
      ...(begun ? goOn(begun) : []),
    ],
    parts,
    sources: passages.map(sourceOf),
    input: parts.question + parts.history + parts.instructions + parts.files + parts.excerpts,
  }
}

const fixedSize = ({ question, begun, instructions }: Omit<PromptOrder, 'passages'>) =>
  sizeOf(question) + countSymbols(begun) + countSymbols(instructions)

/** How many symbols passages may take beside the rest. */
export function roomForPassages(order: Omit<PromptOrder, 'passages'>): number {
  return Math.max(0, Math.min(EXCERPT_SYMBOLS, Math.floor((roomFor(order) - fixedSize(order)) * EXCERPT_SHARE)))
}

const sourceOf = ({ n, chunkId, fileId, fileName, place }: CitedPassage): Source => ({
  n,
  chunkId,
  fileId,
  fileName,
  place,
})

const goOn = (begun: string): LlmMessage[] => [
  { role: 'assistant', content: begun },
  { role: 'user', content: GO_ON },
]

function fittingPassages(passages: readonly CitedPassage[], room: number): readonly CitedPassage[] {
  let kept = passages
  while (kept.length > 0 && countSymbols(writeExcerptBlock(kept)) > room) kept = kept.slice(0, -1)
  return kept
}

function roomFor({ contextSymbols, maxOutputSymbols }: Omit<PromptOrder, 'passages'>): number {
  if (contextSymbols === null) return Number.MAX_SAFE_INTEGER
  const wanted = Math.floor(contextSymbols * OUTPUT_SHARE)
  return contextSymbols - Math.min(maxOutputSymbols ?? wanted, wanted)
}

function fitting(history: Said[], room: number): Said[] {
  let left = room
  const first = history.findLastIndex((said) => {
    left -= sizeOf(said)
    return left < 0
  })
  return history.slice(first + 1)
}

const filesSize = ({ documents, pictureSymbols }: Said) =>
  documents.reduce((sum, text) => sum + countSymbols(text), pictureSymbols)
const sizeOf = (said: Said) => countSymbols(said.content) + filesSize(said)
const total = (history: Said[]) => history.reduce((sum, said) => sum + sizeOf(said), 0)

function tell({ role, content, documents, pictures }: Said, block = ''): LlmMessage {
  const text = [block, ...documents, content].filter(Boolean).join('\n\n')
  return pictures.length > 0 ? { role, content: text, pictures } : { role, content: text }
}

function tooLong(room: number): AppError {
  return new AppError(
    'bad_request',
    `Сообщение вместе с файлами не помещается в модель: для неё это не больше ${new Intl.NumberFormat('ru-RU').format(room)} символов. Сократите его или выберите другую модель.`,
    { field: 'content' },
  )
}
