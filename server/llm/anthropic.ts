import * as z from 'zod/mini'
import type { Thinking } from '#contract/models.ts'
import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import type { Connection, Parameter } from './connection.ts'
import { kindOf, type LlmError, type LlmErrorKind, rejectedBy } from './errors.ts'
import { type AnswerDelta, type AnswerReader, eventLlm, type ModelTimeouts, parseEvent } from './event-llm.ts'
import type { EndReason, Llm, LlmRequest, LlmUsage } from './llm.ts'
import { joined, openObject, type Part } from './request.ts'
import { splitTurns, type Turn } from './turns.ts'

/** Anthropic's Messages API. Thoughts, their depth and caching exist only here, not in its compatible endpoint. */
export function anthropicLlm(connection: Connection, timeouts?: ModelTimeouts): Llm {
  const sendsThinking = connection.profile.thinking !== 'off'
  return eventLlm(
    connection,
    {
      path: () => '/messages',
      parameters: (request) => [...basics(request), ...(sendsThinking ? depth(request.thinking) : [])],
      parts: partsOf,
      errors: { kind: anthropicKind },
      createReader,
    },
    timeouts,
  )
}

interface Wire {
  max_tokens?: number
  thinking?: { type: 'enabled'; budget_tokens: number } | { type: 'adaptive'; display: string } | { type: 'disabled' }
  output_config?: { effort: string }
  isCached?: boolean
}

/** The API requires a limit, and a model rejects one above its maximum: then the next lower of these is tried. */
const LIMITS = [Number.POSITIVE_INFINITY, 64_000, 32_000, 8192, 4096]
const USUAL_LIMIT = 32_000

function basics({ maxTokens = USUAL_LIMIT }: LlmRequest): Parameter<Wire>[] {
  return [
    {
      name: 'limit',
      forms: LIMITS.map((limit) => ({ max_tokens: Math.min(limit, maxTokens) })),
      isRefused: (text) => /max_tokens/.test(text) && !/budget_tokens/.test(text),
    },
    { name: 'cache', forms: [{ isCached: true }, {}], isRefused: (text) => /cache_control/.test(text) },
  ]
}

const budgets = { more: 8192, most: 24_576 }
const efforts = { more: 'medium', most: 'high' }
const LEAST_BUDGET = 1024
/** The share of the output limit that thinking may take; the rest is for the text. */
const BUDGET_SHARE = 0.8

/** Older models think within a budget; newer ones refuse it and take an effort. */
function depth(thinking: Thinking | undefined): Parameter<Wire>[] {
  if (thinking === undefined || thinking === 'usual') return []
  const isRefused = (text: string) => /thinking|budget_tokens|effort|output_config|adaptive/.test(text)
  if (thinking === 'none') return [{ name: 'no thinking', forms: [{ thinking: { type: 'disabled' } }, {}], isRefused }]
  const forms: Wire[] = [
    { thinking: { type: 'enabled', budget_tokens: budgets[thinking] } },
    { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: efforts[thinking] } },
    {},
  ]
  return [{ name: 'thinking', forms, isRefused }]
}

/** The budget is part of the output limit; it is left out when the limit is too small for it. */
function withinLimit({ thinking, ...rest }: Wire): Wire {
  if (thinking?.type !== 'enabled') return thinking ? { ...rest, thinking } : rest
  const most = Math.floor((rest.max_tokens ?? USUAL_LIMIT) * BUDGET_SHARE)
  const budget = Math.min(thinking.budget_tokens, most)
  return budget < LEAST_BUDGET ? rest : { ...rest, thinking: { type: 'enabled', budget_tokens: budget } }
}

const CACHED = { cache_control: { type: 'ephemeral' } }

/** The messages before the question are the same in the next request, so they are cached. */
function* partsOf({ model, messages }: LlmRequest, { isCached, ...wire }: Wire): Generator<Part> {
  const { system, turns } = splitTurns(messages)
  const mark = isCached ? CACHED : {}
  const instructions = system ? { system: [{ type: 'text', text: system, ...mark }] } : {}
  yield Buffer.from(`${openObject({ model, stream: true, ...withinLimit(wire), ...instructions })},"messages":[`)
  yield* joined(turns.map((turn, i) => turnParts(turn, i === turns.length - 2 ? mark : {})))
  yield Buffer.from(']}')
}

function* turnParts({ role, content, images = [] }: Turn, mark: object): Generator<Part> {
  yield Buffer.from(`{"role":"${role}","content":[`)
  const text = content.trim() === '' ? [] : [[Buffer.from(JSON.stringify({ type: 'text', text: content, ...mark }))]]
  yield* joined([
    ...images.map((image): Part[] => [
      Buffer.from(`{"type":"image","source":{"type":"base64","media_type":"${image.mime}","data":"`),
      image,
      Buffer.from('"}}'),
    ]),
    ...text,
  ])
  yield Buffer.from(']}')
}

const optionalNumber = z.optional(z.nullable(z.number()))
const Usage = z.object({
  input_tokens: optionalNumber,
  cache_creation_input_tokens: optionalNumber,
  cache_read_input_tokens: optionalNumber,
  output_tokens: optionalNumber,
  output_tokens_details: z.optional(z.nullable(z.object({ thinking_tokens: optionalNumber }))),
})
const Event = z.object({
  type: z.string(),
  message: z.optional(z.object({ usage: z.optional(z.nullable(Usage)) })),
  content_block: z.optional(
    z.object({ type: z.string(), text: z.optional(z.string()), thinking: z.optional(z.string()) }),
  ),
  delta: z.optional(
    z.object({
      type: z.optional(z.string()),
      text: z.optional(z.string()),
      thinking: z.optional(z.string()),
      stop_reason: z.optional(z.nullable(z.string())),
    }),
  ),
  usage: z.optional(z.nullable(Usage)),
  error: z.optional(z.unknown()),
})
type Event = z.infer<typeof Event>

function createReader(): AnswerReader {
  let reason: EndReason | null = null
  let counted: z.infer<typeof Usage> | null = null
  let isThinking = false
  let shown = 0

  /** Later counts replace earlier ones; a field that is absent stays. */
  function count(usage: z.infer<typeof Usage> | null | undefined): void {
    if (!usage) return
    const given = Object.entries(usage).filter(([, value]) => value !== null && value !== undefined)
    counted = { ...counted, ...Object.fromEntries(given) }
  }

  function addedBy({ type, content_block: block, delta }: Event): AnswerDelta {
    if (type === 'content_block_start') isThinking = /thinking/.test(block?.type ?? '')
    if (type === 'content_block_stop') isThinking = false
    const thought = delta?.thinking ?? block?.thinking ?? ''
    shown += thought.length
    return { text: delta?.text ?? block?.text ?? '', thought, isThinking, isLast: type === 'message_stop' }
  }

  return {
    read: (data) => {
      const event = parseEvent(data, Event)
      if (event.type === 'error') throw errorInStream(event.error)
      count(event.message?.usage)
      count(event.usage)
      if (event.delta?.stop_reason) reason = reasonOf(event.delta.stop_reason)
      return addedBy(event)
    },
    end: () => reason && { reason, usage: counted && usageOf(counted, shown) },
  }
}

/** The output includes the thought. Without a separate count the thought is estimated from its shown text. */
function usageOf(usage: z.infer<typeof Usage>, shownSymbols: number): LlmUsage {
  const cached = usage.cache_read_input_tokens ?? 0
  const written = usage.cache_creation_input_tokens ?? 0
  const output = usage.output_tokens ?? 0
  const shown = Math.min(output, Math.ceil(shownSymbols / SYMBOLS_PER_TOKEN))
  const thought = usage.output_tokens_details?.thinking_tokens ?? shown
  return {
    inputTokens: (usage.input_tokens ?? 0) + written + cached,
    outputTokens: output,
    ...(thought > 0 ? { thoughtTokens: thought, hiddenThoughtTokens: Math.max(0, thought - shown) } : {}),
    ...(cached > 0 ? { cachedTokens: cached } : {}),
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
  }
}

function reasonOf(reason: string): EndReason {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length'
  return reason === 'refusal' ? 'content_filter' : 'stop'
}

const statuses: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
}

function errorInStream(error: unknown): LlmError {
  const text = JSON.stringify(error ?? null)
  const type = /"type":"(\w+)"/.exec(text)?.[1] ?? ''
  const status = statuses[type] ?? 500
  return rejectedBy({ status, text, kind: anthropicKind(status, text) })
}

function anthropicKind(status: number, text: string): LlmErrorKind {
  if (status === 413 || /exceed context limit/i.test(text)) return 'too_long'
  if (/content filtering/i.test(text)) return 'filter'
  return kindOf(status, text)
}
