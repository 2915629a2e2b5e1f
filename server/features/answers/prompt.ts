import { PASSAGE_SYMBOLS } from '#contract/assistants.ts'
import { countSymbols } from '#contract/billing.ts'
import type { Citation, InputParts } from '#contract/threads.ts'
import { AppError } from '#server/lib/errors.ts'
import type { LlmMessage, LlmPicture } from '#server/llm/llm.ts'
import { type PromptPassage, writePassageBlock } from '#server/llm/passage-block.ts'

/** A message with everything that is sent to the model for it. */
export interface PromptMessage {
  role: 'user' | 'assistant'
  content: string
  /** Texts of its documents, wrapped as they are sent. */
  documents: string[]
  /** Its pictures, and how many symbols they count as. */
  pictureSymbols: number
  pictures: LlmPicture[]
}

/** A passage with everything that is kept of it for its citation. */
export type CitedPassage = Citation & PromptPassage

export interface PromptOrder {
  /** Earlier messages, oldest first, already no more than the settings allow. */
  history: PromptMessage[]
  question: PromptMessage
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
  citations: Citation[]
  /** What the model is given in all; the sum of the parts. */
  input: number
}

const GO_ON = 'Продолжи свой ответ ровно с того места, где он оборвался. Не повторяй сказанное и не извиняйся.'
/** The share of the window that is left to the answer when the model says nothing about its length. */
const OUTPUT_SHARE = 0.25
/** The share of what is left beside the question that passages may take; the rest is for earlier messages. */
const PASSAGE_SHARE = 0.5

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
  const block = writePassageBlock(passages)
  const spoken = order.history.filter((promptMessage) => sizeOf(promptMessage) > 0)
  const history = fitting(spoken, room - fixed - countSymbols(block))
  const parts: InputParts = {
    question: countSymbols(question.content),
    history: total(history) + countSymbols(begun),
    historyMessages: history.length + (begun ? 1 : 0),
    cutMessages: spoken.length - history.length,
    instructions: countSymbols(instructions),
    files: filesSize(question),
    found: countSymbols(block),
  }
  return {
    messages: [
      ...(instructions ? [{ role: 'system' as const, content: instructions }] : []),
      ...history.map((promptMessage) => toLlmMessage(promptMessage)),
      toLlmMessage(question, block),
      ...(begun ? goOn(begun) : []),
    ],
    parts,
    citations: passages.map(citationOf),
    input: parts.question + parts.history + parts.instructions + parts.files + parts.found,
  }
}

const fixedSize = ({ question, begun, instructions }: Omit<PromptOrder, 'passages'>) =>
  sizeOf(question) + countSymbols(begun) + countSymbols(instructions)

/** How many symbols passages may take beside the rest. */
export function roomForPassages(order: Omit<PromptOrder, 'passages'>): number {
  return Math.max(0, Math.min(PASSAGE_SYMBOLS, Math.floor((roomFor(order) - fixedSize(order)) * PASSAGE_SHARE)))
}

const citationOf = ({ n, passageId, fileId, fileName, place }: CitedPassage): Citation => ({
  n,
  passageId,
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
  while (kept.length > 0 && countSymbols(writePassageBlock(kept)) > room) kept = kept.slice(0, -1)
  return kept
}

function roomFor({ contextSymbols, maxOutputSymbols }: Omit<PromptOrder, 'passages'>): number {
  if (contextSymbols === null) return Number.MAX_SAFE_INTEGER
  const wanted = Math.floor(contextSymbols * OUTPUT_SHARE)
  return contextSymbols - Math.min(maxOutputSymbols ?? wanted, wanted)
}

function fitting(history: PromptMessage[], room: number): PromptMessage[] {
  let left = room
  const first = history.findLastIndex((promptMessage) => {
    left -= sizeOf(promptMessage)
    return left < 0
  })
  return history.slice(first + 1)
}

const filesSize = ({ documents, pictureSymbols }: PromptMessage) =>
  documents.reduce((sum, text) => sum + countSymbols(text), pictureSymbols)
const sizeOf = (promptMessage: PromptMessage) => countSymbols(promptMessage.content) + filesSize(promptMessage)
const total = (history: PromptMessage[]) => history.reduce((sum, promptMessage) => sum + sizeOf(promptMessage), 0)

function toLlmMessage({ role, content, documents, pictures }: PromptMessage, block = ''): LlmMessage {
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
