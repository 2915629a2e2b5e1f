import * as z from 'zod/mini'
import { price, type Rates, SingleSubscription } from './billing.ts'
import { endpoint } from './endpoint.ts'

/** A history above this many symbols is long: a summary of its beginning is offered. */
export const LONG_HISTORY = 24_000
/** The longest text that a model may write as a summary; reading stops there, so it limits the price too. */
export const MAX_WRITTEN_SUMMARY = 6000
/** The longest text of a summary that its owner has edited. */
export const MAX_SUMMARY = 20_000
/** A summary never covers the last exchange, nor what lies this close to the end. */
const NEAR_END = { messages: 6, symbols: 6000 }
const MIN_COVERED = 6000
const USUAL_SUMMARY = 3200
const SYMBOLS_PER_SUMMARY_SYMBOL = 6
/** Symbols reserved in each request for our own instructions. */
const INSTRUCTION_SYMBOLS = 2000
const MIN_PART = 4000
/** A history above this share of a model's capacity leaves too little space for the question. */
const MAX_HISTORY_SHARE = 0.8

/** The beginning of a branch in few words; sent instead of its messages. */
export const Summary = z.object({
  id: z.string(),
  /** The last message that it stands for. */
  coversUntil: z.string(),
  /** Empty after messages that it stood for were deleted, because the text is deleted with them. */
  text: z.string(),
  /** What it adds to the input of a question. */
  symbols: z.int(),
  /** How many messages were read for it, and their symbols. */
  messages: z.int(),
  covered: z.int(),
  /** Changed by its owner. */
  edited: z.boolean(),
  /** A message that it stands for was changed later, so it is not used. */
  stale: z.boolean(),
  modelId: z.nullable(z.string()),
  charged: z.int(),
  createdAt: z.iso.datetime(),
})
export type Summary = z.infer<typeof Summary>

/** The size of a message of the history in symbols: its text with documents, and its images. */
export interface HistoryItem {
  id: string
  role: 'user' | 'assistant'
  text: number
  images: number
}

export interface SummaryPlan {
  coversUntil: string
  messages: number
  /** The symbols that the model reads, an earlier summary included. */
  input: number
  /** The number of requests to the model; a long history does not fit into one. */
  parts: number
  /** The length that is asked for. */
  target: number
  /** Symbols of history sent with each question now, and about how many there will be with the summary. */
  before: number
  after: number
  /** The history is long, or does not fit into the model. */
  isDue: boolean
}

interface PlanContext {
  /** The symbols of the summary before the items; 0 without one. */
  summary: number
  /** The most symbols that a prompt of the model may have. */
  capacity: number
  /** An existing summary is made again, so the smallest covered size does not apply. */
  isReplacement?: boolean
}

/** Null when there is too little to cover. */
export function planSummary(items: readonly HistoryItem[], context: PlanContext): SummaryPlan | null {
  const { summary, capacity, isReplacement = false } = context
  const covered = items.slice(0, firstUncovered(items))
  const last = covered.at(-1)
  const read = covered.reduce((sum, { text }) => sum + text, 0)
  if (!last || covered.length < 2 || (!isReplacement && read < MIN_COVERED)) return null
  const input = read + summary
  const target = Math.min(USUAL_SUMMARY, Math.max(400, Math.round(input / SYMBOLS_PER_SUMMARY_SYMBOL / 100) * 100))
  const before = summary + items.reduce((sum, item) => sum + sizeOf(item), 0)
  return {
    coversUntil: last.id,
    messages: covered.length,
    input,
    parts: Math.ceil(input / Math.max(MIN_PART, capacity - MAX_WRITTEN_SUMMARY - INSTRUCTION_SYMBOLS)),
    target,
    before,
    after: target + items.slice(covered.length).reduce((sum, item) => sum + sizeOf(item), 0),
    isDue: before > Math.min(LONG_HISTORY, capacity * MAX_HISTORY_SHARE),
  }
}

const sizeOf = ({ text, images }: HistoryItem) => text + images

/** The index of the first message that is not summarised: always a question, at the latest the last one. */
function firstUncovered(items: readonly HistoryItem[]): number {
  let from = items.length
  let size = 0
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i]
    if (!item) break
    size += sizeOf(item)
    const isNear = items.length - i <= NEAR_END.messages && size <= NEAR_END.symbols
    if (!isNear && from < items.length) break
    if (item.role === 'user') from = i
  }
  return from === items.length ? 0 : from
}

/** `low` for a short summary, `high` for the longest. */
export function summaryPrice({ input, parts, target }: SummaryPlan, rates: Rates): { low: number; high: number } {
  return {
    low: price(input, Math.round(target / 2), rates),
    high: price(input, MAX_WRITTEN_SUMMARY * parts, rates),
  }
}

const Id = z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'Нужен номер из 8–64 букв, цифр и дефисов' }))

export const summariesApi = {
  make: endpoint('POST', '/api/threads/:id/summary', {
    who: 'user',
    summary: 'Сжать начало показанной ветки чата; списывается как обмен в чате, неудача бесплатна',
    body: z.strictObject({
      /** Chosen by the caller: a repeated request with the same id has no effect. */
      id: z.optional(Id),
      /** The id of the summary that the new one replaces. */
      instead: z.optional(z.string()),
      /** The highest price that the caller has agreed to; a higher one is refused. */
      most: z.optional(z.int()),
    }),
    returns: z.object({ summary: Summary, charged: z.int(), SingleSubscription }),
  }),
  edit: endpoint('PATCH', '/api/threads/:id/summary/:summaryId', {
    who: 'user',
    summary: 'Исправить сжатое начало чата; бесплатно',
    body: z.strictObject({ text: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_SUMMARY)) }),
    returns: Summary,
  }),
  remove: endpoint('DELETE', '/api/threads/:id/summary/:summaryId', {
    who: 'user',
    summary: 'Убрать сжатое начало: история снова отправляется целиком',
    returns: Summary,
  }),
}
