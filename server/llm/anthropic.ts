import * as z from 'zod/mini'
import { SYMBOLS_PER_TOKEN } from '#contract/models-admin.ts'
import type { Connection, Parameter } from './connection.ts'
import { kindOf, type LlmError, type LlmErrorKind, rejectedBy } from './errors.ts'
import { type AnswerDelta, type AnswerReader, eventLlm, type ModelTimeouts, parseEvent } from './event-llm.ts'
import type { Depth, EndReason, Llm, LlmRequest, LlmUsage, ToolDelta } from './llm.ts'
import { joined, openObject, type Part } from './request.ts'
import { argumentsOf, splitTurns, type Turn } from './turns.ts'

/** Anthropic's Messages API. Thoughts, their depth and caching exist only here, not in its compatible endpoint. */
export function anthropicLlm(connection: Connection, timeouts?: ModelTimeouts): Llm {
  const sendsThinking = connection.profile.thinking !== 'off'
  return eventLlm(
    connection,
    {
      path: () => '/messages',
      parameters: (request) => [
        ...basics(request),
        ...chosen(request),
        ...(sendsThinking && !isAmidTools(request) ? depth(request.thinking) : []),
      ],
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
  temperature?: number
  top_p?: number
  stop_sequences?: string[]
  format?: object
  isCached?: boolean
}

/** A model that thinks wants its own thoughts back with the results of functions, and callers do not have them. */
const isAmidTools = ({ messages }: LlmRequest) => messages.at(-1)?.role === 'tool'

function chosen({ sampling: { temperature, topP } = {}, stop, format }: LlmRequest): Parameter<Wire>[] {
  const forms: Wire[] = [
    ...(temperature === undefined ? [] : [{ temperature: Math.min(1, temperature) }]),
    ...(topP === undefined ? [] : [{ top_p: topP }]),
    ...(stop ? [{ stop_sequences: stop }] : []),
  ]
  return [
    ...forms.map((form) => ({ name: Object.keys(form).join(), forms: [form, {}], isChosen: true })),
    // Models without the parameter are told the shape in words.
    ...(format?.type === 'json_schema'
      ? [
          {
            name: 'format',
            forms: [{ format: { type: 'json_schema', schema: format.schema } }, {}],
            isRefused: (text: string) => /output_config|output_format|format/.test(text),
          },
        ]
      : []),
  ]
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

type Step = Exclude<Depth, 'usual' | 'none'>
const budgets: Record<Step, number> = {
  ...{ minimal: 1024, low: 4096, more: 8192, most: 24_576, xhigh: 32_768, max: 32_768 },
}
const efforts: Record<Step, string> = {
  ...{ minimal: 'low', low: 'low', more: 'medium', most: 'high', xhigh: 'high', max: 'high' },
}
const LEAST_BUDGET = 1024
/** The share of the output limit that thinking may take; the rest is for the text. */
const BUDGET_SHARE = 0.8

/** Older models think within a budget; newer ones refuse it and take an effort. */
function depth(thinking: Depth | undefined): Parameter<Wire>[] {
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
function* partsOf(request: LlmRequest, { isCached, format, ...wire }: Wire): Generator<Part> {
  const { system, turns } = splitTurns(request.messages)
  const mark = isCached ? CACHED : {}
  const text = [system, ...(format ? [] : shapeInWords(request.format))].filter(Boolean).join('\n\n')
  const head = {
    ...{ model: request.model, stream: true, ...withinLimit(wire), ...toolOptions(request) },
    ...(format && { output_config: { ...wire.output_config, format } }),
    ...(text && { system: [{ type: 'text', text, ...mark }] }),
  }
  yield Buffer.from(`${openObject(head)},"messages":[`)
  yield* joined(turns.map((turn, i) => turnParts(turn, i === turns.length - 2 ? mark : {})))
  yield Buffer.from(']}')
}

function shapeInWords(format: LlmRequest['format']): string[] {
  if (!format) return []
  const schema = format.type === 'json_schema' ? ` that matches this JSON schema: ${JSON.stringify(format.schema)}` : ''
  return [`Answer only with one JSON object${schema}. No other text, no code fence.`]
}

function toolOptions({ tools, toolChoice, parallelTools }: LlmRequest): object {
  if (!tools) return {}
  const type = toolChoice === 'required' ? 'any' : typeof toolChoice === 'object' ? 'tool' : (toolChoice ?? 'auto')
  const choice = {
    type,
    ...(typeof toolChoice === 'object' && toolChoice),
    ...(parallelTools === false && type !== 'none' && { disable_parallel_tool_use: true }),
  }
  const listed = tools.map(({ name, description, parameters = { type: 'object', properties: {} } }) => ({
    ...{ name, ...(description && { description }), input_schema: parameters },
  }))
  return { tools: listed, ...((toolChoice || parallelTools === false) && { tool_choice: choice }) }
}

function* turnParts({ role, content, images = [], toolCalls = [], results = [] }: Turn, mark: object): Generator<Part> {
  yield Buffer.from(`{"role":"${role}","content":[`)
  const block = (fields: object): Part[] => [Buffer.from(JSON.stringify(fields))]
  const text = content.trim() === '' ? [] : [[Buffer.from(JSON.stringify({ type: 'text', text: content, ...mark }))]]
  yield* joined([
    ...results.map((one) => block({ type: 'tool_result', tool_use_id: one.id, content: one.content })),
    ...images.map((image): Part[] => [
      Buffer.from(`{"type":"image","source":{"type":"base64","media_type":"${image.mime}","data":"`),
      image,
      Buffer.from('"}}'),
    ]),
    ...text,
    ...toolCalls.map((call) => block({ type: 'tool_use', id: call.id, name: call.name, input: argumentsOf(call) })),
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
  index: z.optional(z.number()),
  message: z.optional(z.object({ usage: z.optional(z.nullable(Usage)) })),
  content_block: z.optional(
    z.object({
      type: z.string(),
      text: z.optional(z.string()),
      thinking: z.optional(z.string()),
      id: z.optional(z.string()),
      name: z.optional(z.string()),
    }),
  ),
  delta: z.optional(
    z.object({
      type: z.optional(z.string()),
      text: z.optional(z.string()),
      thinking: z.optional(z.string()),
      partial_json: z.optional(z.string()),
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
  /** Blocks that are calls of functions. */
  const calls: number[] = []

  function toolsOf({ type, index = 0, content_block: block, delta }: Event): ToolDelta[] {
    if (type === 'content_block_start' && block?.type === 'tool_use') {
      const { id = '', name = '' } = block
      return [{ index: calls.push(index) - 1, id, name, arguments: '' }]
    }
    if (delta?.partial_json === undefined) return []
    return [{ index: calls.indexOf(index), arguments: delta.partial_json }]
  }

  /** Later counts replace earlier ones; a field that is absent stays. */
  function count(usage: z.infer<typeof Usage> | null | undefined): void {
    if (!usage) return
    const given = Object.entries(usage).filter(([, value]) => value !== null && value !== undefined)
    counted = { ...counted, ...Object.fromEntries(given) }
  }

  function addedBy(event: Event): AnswerDelta {
    const { type, content_block: block, delta } = event
    if (type === 'content_block_start') isThinking = /thinking/.test(block?.type ?? '')
    if (type === 'content_block_stop') isThinking = false
    const thought = delta?.thinking ?? block?.thinking ?? ''
    shown += thought.length
    const text = delta?.text ?? block?.text ?? ''
    return { text, thought, isThinking, tools: toolsOf(event), isLast: type === 'message_stop' }
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
  if (reason === 'tool_use') return 'tool_calls'
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
