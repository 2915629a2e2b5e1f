import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { type Connection, namesUnknown, type Parameter } from './connection.ts'
import { type LlmError, rejectedBy } from './errors.ts'
import { type AnswerReader, checkEvent, eventLlm, type ModelTimeouts, parseJson } from './event-llm.ts'
import { functionMessages, functionOptions } from './gigachat.ts'
import type { Depth, EndReason, Llm, LlmFormat, LlmMessage, LlmRequest, LlmUsage, Sampling, ToolDelta } from './llm.ts'
import type { Profile, ThinkingStyle } from './profile.ts'
import { type ByteBudget, joined, openObject, type Part } from './request.ts'
import { checkSkills } from './skills.ts'
import { newCallId } from './turns.ts'

/** Whether thoughts go back: as they are, not at all, or with an empty one for each call that has none. */
type ThoughtForm = 'given' | 'left out' | 'all'
type Options = Record<string, unknown> & { thoughts?: ThoughtForm }

function* partsOf(profile: Profile, request: LlmRequest, { thoughts, ...options }: Options): Generator<Part> {
  const { model, messages, format } = request
  const hasFunctions = profile.tools === 'functions'
  const head = {
    ...{ model, stream: true, ...(hasFunctions ? functionOptions(request) : toolOptions(request)) },
    ...(format && { response_format: formatOption(format) }),
    ...options,
  }
  yield Buffer.from(`${openObject(head)},"messages":[`)
  yield* joined(
    hasFunctions
      ? functionMessages(messages).map(jsonParts)
      : messages.map((message) => messageParts(message, thoughts)),
  )
  yield Buffer.from(']}')
}

const jsonParts = (value: object): Part[] => [Buffer.from(JSON.stringify(value))]

function toolOptions({ tools, toolChoice, parallelTools }: LlmRequest): Options {
  return {
    ...(tools && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(toolChoice && {
      tool_choice: typeof toolChoice === 'string' ? toolChoice : { type: 'function', function: toolChoice },
    }),
    ...(parallelTools !== undefined && { parallel_tool_calls: parallelTools }),
  }
}

const formatOption = ({ type, ...json_schema }: LlmFormat) =>
  type === 'json_object' ? { type } : { type, json_schema }

function* messageParts(message: LlmMessage, thoughts: Options['thoughts']): Generator<Part> {
  const { role, content, images, toolCalls, toolCallId } = message
  if (!images) {
    const tool_calls = toolCalls?.map(({ id, ...call }) => ({ id, type: 'function', function: call }))
    yield* jsonParts({
      role,
      content: tool_calls && content === '' ? null : content,
      ...thoughtOf(message, thoughts),
      ...(tool_calls && { tool_calls }),
      ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    })
    return
  }
  const text = JSON.stringify({ type: 'text', text: content })
  yield Buffer.from(`{"role":${JSON.stringify(role)},"content":[${text}`)
  for (const image of images) {
    yield Buffer.from(`,{"type":"image_url","image_url":{"url":"data:${image.mime};base64,`)
    yield image
    yield Buffer.from('"}}')
  }
  yield Buffer.from(']}')
}

function thoughtOf({ thought, toolCalls }: LlmMessage, form: ThoughtForm | undefined) {
  if (form === 'left out') return {}
  const sent = form === 'all' && toolCalls ? (thought ?? '') : thought
  return sent === undefined ? {} : { reasoning_content: sent }
}

/** Any endpoint with OpenAI's chat completions API. Reads only the fields it needs: gateways differ in the rest. */
export function openAiLlm(connection: Connection, timeouts?: ModelTimeouts, budget?: ByteBudget): Llm {
  const { profile } = connection
  const llm = eventLlm(
    connection,
    {
      path: () => '/chat/completions',
      parameters: (request) => chatParameters(profile, request),
      parts: (request, options) => partsOf(profile, request, options),
      createReader,
    },
    timeouts,
    budget,
  )
  return async (request, signal, onText) => {
    checkSkills(profile, request)
    return llm(request, signal, onText)
  }
}

/** The parameters of a chat completions request that models may reject. */
function chatParameters(profile: Profile, request: LlmRequest): Parameter<Options>[] {
  const { maxTokens, thinking, stop, sampling, isOfProgram } = request
  const chosen = { stop, ...samplingOptions(sampling) }
  const parameters: Parameter<Options>[] = Object.entries(chosen).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, forms: [{ [name]: value }, {}], isChosen: true }],
  )
  const hasCalls = request.messages.some(({ thought, toolCalls }) => thought !== undefined || toolCalls)
  if (hasCalls && profile.tools === 'tools') parameters.unshift(THOUGHTS)
  if (request.cacheKey !== undefined) {
    parameters.push({ name: 'cache', forms: [{ prompt_cache_key: cacheKeyOf(request) }, {}] })
  }
  if (profile.asksForUsage) {
    parameters.push({ name: 'usage', forms: [{ stream_options: { include_usage: true } }, {}] })
  }
  if (maxTokens) {
    const other = profile.limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
    parameters.push({
      ...{ name: 'limit', forms: [{ [profile.limit]: maxTokens }, { [other]: maxTokens }, {}] },
      // A wrong value must not take the limit away, which also keeps hidden thought within the hold.
      ...(isOfProgram && { isRefused: namesUnknown, isChosen: true }),
    })
  }
  const depth = thinking === undefined ? [] : depthForms(profile.thinking, thinking)
  if (depth.length > 0) parameters.push({ name: `thinking ${thinking}`, forms: [...depth, {}] })
  return parameters
}

/**
 * DeepSeek and others want their thoughts back with the calls that followed, OpenAI knows no such field. It is the first
 * parameter, because the refusal speaks of a «thinking mode».
 */
const THOUGHTS: Parameter<Options> = {
  name: 'thoughts',
  forms: [{ thoughts: 'given' }, { thoughts: 'left out' }, { thoughts: 'all' }],
  isRefused: (text) => /reasoning_content/.test(text),
}

/** The keys of one person are of no use to another. */
const cacheKeyOf = ({ userId = '', cacheKey = '' }: LlmRequest) =>
  createHash('sha256').update(`${userId}\0${cacheKey}`).digest('hex').slice(0, 32)

const samplingOptions = ({ temperature, topP, presencePenalty, frequencyPenalty, seed }: Sampling = {}) => ({
  temperature,
  top_p: topP,
  presence_penalty: presencePenalty,
  frequency_penalty: frequencyPenalty,
  seed,
})

/** What a model that does not know the word is asked for instead. */
const efforts: Record<Exclude<Depth, 'usual'>, string[]> = {
  // Newer models call it «none», older ones know «minimal» only.
  none: ['none', 'minimal'],
  minimal: ['minimal', 'low'],
  low: ['low'],
  more: ['medium'],
  most: ['high'],
  xhigh: ['xhigh', 'high'],
  max: ['max', 'xhigh', 'high'],
}

function depthForms(style: ThinkingStyle, thinking: Depth): Options[] {
  if (thinking === 'usual') return []
  if (style === 'effort') return efforts[thinking].map((effort) => ({ reasoning_effort: effort }))
  if (style === 'openrouter') return efforts[thinking].map((effort) => ({ reasoning: { effort } }))
  if (style === 'toggle')
    return [{ thinking: { type: thinking === 'none' || thinking === 'minimal' ? 'disabled' : 'enabled' } }]
  return []
}

const count = z.optional(z.nullable(z.number()))

const FunctionCall = z.optional(
  z.nullable(z.object({ name: z.optional(z.nullable(z.string())), arguments: z.optional(z.unknown()) })),
)
const ToolCall = z.object({ index: count, id: z.optional(z.nullable(z.string())), function: FunctionCall })

const Chunk = z.object({
  choices: z.optional(
    z.nullable(
      z.array(
        z.object({
          delta: z.optional(
            z.nullable(
              z.object({
                content: z.optional(z.nullable(z.union([z.string(), z.array(z.unknown())]))),
                // The thought has several names; some gateways send it under two of them at once.
                reasoning: z.optional(z.unknown()),
                reasoning_content: z.optional(z.unknown()),
                reasoning_details: z.optional(z.unknown()),
                tool_calls: z.optional(z.nullable(z.array(ToolCall))),
                /** GigaChat's: the whole call. */
                function_call: FunctionCall,
                functions_state_id: z.optional(z.nullable(z.string())),
              }),
            ),
          ),
          finish_reason: z.optional(z.nullable(z.string())),
        }),
      ),
    ),
  ),
  usage: z.optional(
    z.nullable(
      z.object({
        prompt_tokens: z.number(),
        completion_tokens: z.number(),
        total_tokens: count,
        prompt_tokens_details: z.optional(z.nullable(z.object({ cached_tokens: count }))),
        /** DeepSeek's name of cached tokens. */
        prompt_cache_hit_tokens: count,
        /** GigaChat's. */
        precached_prompt_tokens: count,
        completion_tokens_details: z.optional(z.nullable(z.object({ reasoning_tokens: count }))),
      }),
    ),
  ),
  error: z.optional(z.unknown()),
})

type Delta = NonNullable<NonNullable<NonNullable<z.infer<typeof Chunk>['choices']>[number]['delta']>>

const isFilled = (value: unknown): value is string | unknown[] =>
  (typeof value === 'string' || Array.isArray(value)) && value.length > 0

const hasReasoning = ({ reasoning, reasoning_content, reasoning_details }: Delta) =>
  [reasoning, reasoning_content, reasoning_details].some(isFilled)

/** The thought of a delta, under the first name that has one. Encrypted details have no text. */
function thoughtIn({ content, reasoning_content, reasoning, reasoning_details }: Delta): string {
  const named = [reasoning_content, reasoning].find((value) => typeof value === 'string' && value !== '')
  if (typeof named === 'string') return named
  return [reasoning_details, content].map((parts) => (Array.isArray(parts) ? partText(parts, true) : '')).join('')
}

const textIn = ({ content }: Delta): string => (Array.isArray(content) ? partText(content, false) : (content ?? ''))

const ContentPart = z.object({
  type: z.optional(z.string()),
  text: z.optional(z.nullable(z.string())),
  summary: z.optional(z.nullable(z.string())),
  /** Mistral's list of thought texts. */
  thinking: z.optional(z.array(z.object({ text: z.optional(z.string()) }))),
})

function partText(parts: unknown[], isThought: boolean): string {
  return parts
    .map((value) => {
      const part = ContentPart.safeParse(value).data
      if (!part || isThought === (part.type === 'text')) return ''
      if (part.thinking) return part.thinking.map(({ text }) => text ?? '').join('')
      return part.text ?? part.summary ?? ''
    })
    .join('')
}

type ChunkUsage = NonNullable<z.infer<typeof Chunk>['usage']>

/**
 * Most gateways include the thought in the completion tokens; if not, the total is larger than the sum of both counts.
 * Details by medium (audio, image, text) are ignored: they are parts of these counts and have no price of their own.
 */
function usageOf(usage: ChunkUsage, hasShownThought: boolean): LlmUsage {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = usage
  const beside = Math.max(0, (usage.total_tokens ?? 0) - prompt_tokens - completion_tokens)
  const thoughtTokens = completion_tokens_details?.reasoning_tokens || beside
  const cachedTokens =
    prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.precached_prompt_tokens ?? 0
  return {
    inputTokens: prompt_tokens,
    outputTokens: completion_tokens + beside,
    ...(thoughtTokens > 0 && { thoughtTokens, hiddenThoughtTokens: hasShownThought ? 0 : thoughtTokens }),
    ...(cachedTokens > 0 && { cachedTokens }),
  }
}

function createReader(): AnswerReader {
  let reason: EndReason | null = null
  let usage: LlmUsage | null = null
  let hasShownThought = false
  const tags = splitThinkTag()
  const tools = readTools()

  return {
    read: (data) => {
      if (data === '[DONE]') return { isLast: true }
      const json = parseJson(data)
      const plain = plainText(json)
      if (plain !== null) {
        const { text, thought } = tags.read(plain)
        hasShownThought ||= thought !== ''
        return { text, thought }
      }
      const chunk = checkEvent(json, Chunk)
      if (chunk.error) throw errorInStream(chunk.error)
      const choice = chunk.choices?.[0]
      const delta = choice?.delta ?? {}
      const tagged = tags.read(textIn(delta))
      const thought = thoughtIn(delta) + tagged.thought
      hasShownThought ||= thought !== ''
      if (chunk.usage) usage = usageOf(chunk.usage, hasShownThought)
      const added = { thought, isThinking: hasReasoning(delta), tools: tools.read(callsIn(delta)) }
      if (!choice?.finish_reason) return { ...added, text: tagged.text }
      reason = reasonOf(choice.finish_reason)
      return { ...added, text: tagged.text + tags.rest() }
    },
    // Some servers name an ordinary end after calls of functions.
    end: () => reason && { reason: reason === 'stop' && tools.hasSome() ? 'tool_calls' : reason, usage },
  }
}

const callsIn = ({ tool_calls, function_call, functions_state_id }: Delta): z.infer<typeof ToolCall>[] =>
  function_call ? [{ id: functions_state_id ?? newCallId(), function: function_call }] : (tool_calls ?? [])

/** Some servers send whole calls without an index: then each id is a call. */
function readTools() {
  const ids: (string | null)[] = []
  const indexOf = ({ index, id }: z.infer<typeof ToolCall>): number => {
    if (typeof index === 'number') return index
    const known = id ? ids.indexOf(id) : ids.length - 1
    return known >= 0 ? known : ids.length
  }
  return {
    hasSome: () => ids.length > 0,
    read: (calls: z.infer<typeof ToolCall>[]): ToolDelta[] =>
      calls.map((call) => {
        const index = indexOf(call)
        const { name, arguments: given = '' } = call.function ?? {}
        const isNew = ids[index] === undefined
        if (isNew) ids[index] = call.id ?? null
        return {
          index,
          ...(isNew && call.id && { id: call.id }),
          ...(isNew && name && { name }),
          arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}),
        }
      }),
  }
}

type Loose = Record<string, unknown>
const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null

/**
 * The text of an event that adds only text; null for any other. There are thousands of such events per answer, and
 * checking them by the schema would take most of the time of reading.
 */
export function plainText(json: unknown): string | null {
  if (!isObject(json) || json.error != null || json.usage != null || !Array.isArray(json.choices)) return null
  const [choice] = json.choices as unknown[]
  if (json.choices.length !== 1 || !isObject(choice) || choice.finish_reason != null) return null
  const { delta } = choice
  if (!isObject(delta) || typeof delta.content !== 'string') return null
  const thinks = delta.reasoning != null || delta.reasoning_content != null || delta.reasoning_details != null
  return thinks || delta.tool_calls != null || delta.function_call != null ? null : delta.content
}

const OPEN = '<think>'
const CLOSE = '</think>'

/** Some servers of open models write the thought into the text, between tags at its beginning. */
function splitThinkTag() {
  let state: 'start' | 'thought' | 'text' = 'start'
  let rest = ''

  function read(text: string): { text: string; thought: string } {
    if (state === 'text') return { text, thought: '' }
    rest += text
    if (state === 'start') {
      const begin = rest.trimStart()
      if (begin === '' || (begin.length < OPEN.length && OPEN.startsWith(begin))) return { text: '', thought: '' }
      state = begin.startsWith(OPEN) ? 'thought' : 'text'
      rest = state === 'thought' ? begin.slice(OPEN.length) : rest
      return state === 'thought' ? read('') : { text: take(), thought: '' }
    }
    const end = rest.indexOf(CLOSE)
    if (end >= 0) {
      const thought = rest.slice(0, end)
      const answer = rest.slice(end + CLOSE.length).trimStart()
      state = 'text'
      rest = ''
      return { text: answer, thought }
    }
    // The text may end with the beginning of the closing tag.
    const open = rest.lastIndexOf('<')
    const keep = open >= 0 && CLOSE.startsWith(rest.slice(open)) ? rest.length - open : 0
    const thought = rest.slice(0, rest.length - keep)
    rest = rest.slice(rest.length - keep)
    return { text: '', thought }
  }

  function take(): string {
    const text = rest
    rest = ''
    return text
  }

  return { read, rest: () => (state === 'start' ? take() : '') }
}

function reasonOf(reason: string): EndReason {
  // GigaChat calls its filter a blacklist.
  if (reason === 'blacklist') return 'content_filter'
  if (reason === 'tool_calls' || reason === 'function_call') return 'tool_calls'
  return reason === 'length' || reason === 'content_filter' ? reason : 'stop'
}

function errorInStream(error: unknown): LlmError {
  const code = error !== null && typeof error === 'object' && 'code' in error ? Number(error.code) : Number.NaN
  return rejectedBy({ status: Number.isInteger(code) ? code : 500, text: JSON.stringify(error) })
}
