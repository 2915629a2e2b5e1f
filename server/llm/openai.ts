import type { IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import * as z from 'zod/mini'
import { type ByteBudget, picturesInFlight } from './byte-budget.ts'
import { kindOf, LlmError } from './errors.ts'
import type { EndReason, Llm, LlmEnd, LlmMessage, LlmPicture, LlmRequest, LlmUsage, OnText } from './llm.ts'
import { postJson, retryAfterMs, type StreamedBody } from './post-json.ts'
import { type ModelTimeouts, usualTimeouts, watchSilence } from './silence.ts'

type Part = Buffer | LlmPicture

/** The JSON of a request. Pictures are streamed, so their bytes are never in memory as a whole. */
function requestBody(request: LlmRequest, budget: ByteBudget, signal: AbortSignal): Buffer | StreamedBody {
  const pictureBytes = request.messages.reduce((sum, message) => sum + bytesOf(message.pictures), 0)
  const parts = [...partsOf(request)]
  if (pictureBytes === 0) return Buffer.concat(parts.flatMap((part) => (isPicture(part) ? [] : [part])))
  return {
    length: parts.reduce((sum, part) => sum + (isPicture(part) ? base64Length(part.bytes) : part.length), 0),
    chunks: async function* () {
      request.onAsked?.(false)
      const release = await budget.take(request.userId ?? '', pictureBytes, signal)
      request.onAsked?.(true)
      try {
        // Sent parts are dropped: the socket keeps this generator alive as long as the answer takes.
        for (let part = parts.shift(); part; part = parts.shift()) {
          if (isPicture(part)) yield* base64(part)
          else yield part
        }
      } finally {
        parts.length = 0
        release()
      }
    },
  }
}

const isPicture = (part: Part): part is LlmPicture => 'read' in part
const bytesOf = (pictures: readonly LlmPicture[] = []) => pictures.reduce((sum, { bytes }) => sum + bytes, 0)

function* partsOf({ model, messages, maxTokens }: LlmRequest): Generator<Part> {
  const options = {
    model,
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens ? { max_completion_tokens: maxTokens } : {}),
  }
  yield Buffer.from(`${JSON.stringify(options).slice(0, -1)},"messages":[`)
  for (const [i, message] of messages.entries()) {
    if (i > 0) yield Buffer.from(',')
    yield* messageParts(message)
  }
  yield Buffer.from(']}')
}

function* messageParts({ role, content, pictures }: LlmMessage): Generator<Part> {
  if (!pictures) {
    yield Buffer.from(JSON.stringify({ role, content }))
    return
  }
  const text = JSON.stringify({ type: 'text', text: content })
  yield Buffer.from(`{"role":${JSON.stringify(role)},"content":[${text}`)
  for (const picture of pictures) {
    yield Buffer.from(`,{"type":"image_url","image_url":{"url":"data:${picture.mime};base64,`)
    yield picture
    yield Buffer.from('"}}')
  }
  yield Buffer.from(']}')
}

const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4

/** Base64 encodes three bytes at a time; the remainder of a chunk is carried over to the next. */
async function* base64({ bytes, read }: LlmPicture): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  let seen = 0
  for await (const chunk of read()) {
    seen += chunk.length
    const joined = Buffer.concat([rest, chunk])
    const whole = joined.length - (joined.length % 3)
    if (whole > 0) yield Buffer.from(joined.toString('base64', 0, whole), 'latin1')
    rest = joined.subarray(whole)
  }
  if (seen !== bytes) throw new Error(`a picture of ${bytes} bytes has ${seen}`)
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1')
}

export interface ProviderAddress {
  baseUrl: string
  apiKey: string | null
}

const MAX_ERROR_TEXT = 4000
const HANG_UP_MS = 5000

/** Any endpoint with OpenAI's chat completions API. Reads only the fields it needs: gateways differ in the rest. */
export function openAiLlm(
  { baseUrl, apiKey }: ProviderAddress,
  timeouts: ModelTimeouts = usualTimeouts,
  budget: ByteBudget = picturesInFlight,
): Llm {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/chat/completions`)
  const headers = { accept: 'text/event-stream', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) }
  return async (request, signal, onText) => {
    const silence = watchSilence(signal, timeouts)
    try {
      // No variable holds the body, so it can be collected as soon as it is sent.
      const response = await postJson(url, headers, requestBody(request, budget, silence.signal), silence.signal)
      if (response.statusCode !== 200) throw await rejection(response)
      return await readAnswer(response, signal, { onText, onThought: request.onThought }, silence.broken)
    } catch (error) {
      const reason = silence.explain(error)
      silence.hangUp()
      throw reason
    } finally {
      silence.end()
    }
  }
}

const count = z.optional(z.nullable(z.number()))

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

const Part = z.object({
  type: z.optional(z.string()),
  text: z.optional(z.nullable(z.string())),
  summary: z.optional(z.nullable(z.string())),
  /** Mistral's list of thought texts. */
  thinking: z.optional(z.array(z.object({ text: z.optional(z.string()) }))),
})

/** The texts of a list of parts: those of thought, or those of the answer. */
function partText(parts: unknown[], isThought: boolean): string {
  return parts
    .map((value) => {
      const part = Part.safeParse(value).data
      if (!part || isThought === (part.type === 'text')) return ''
      if (part.thinking) return part.thinking.map(({ text }) => text ?? '').join('')
      return part.text ?? part.summary ?? ''
    })
    .join('')
}

type ChunkUsage = NonNullable<z.infer<typeof Chunk>['usage']>

/** Most gateways count the thought inside the completion, some beside it: then the total is larger than the sum. */
function usageOf(usage: ChunkUsage, hasShownThought: boolean): LlmUsage {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = usage
  const beside = Math.max(0, (usage.total_tokens ?? 0) - prompt_tokens - completion_tokens)
  const thoughtTokens = completion_tokens_details?.reasoning_tokens || beside
  const cachedTokens = prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0
  return {
    inputTokens: prompt_tokens,
    outputTokens: completion_tokens + beside,
    ...(thoughtTokens > 0 && { thoughtTokens, hiddenThoughtTokens: hasShownThought ? 0 : thoughtTokens }),
    ...(cachedTokens > 0 && { cachedTokens }),
  }
}

/** Reads until `[DONE]` or the end of the stream. The text of one socket chunk goes to `onText` in one call. */
function readAnswer(
  response: IncomingMessage,
  signal: AbortSignal,
  { onText, onThought }: { onText: OnText; onThought: OnText | undefined },
  onSign: (sign: 'text' | 'thought') => void,
): Promise<LlmEnd> {
  let reason: EndReason | null = null
  let usage: LlmUsage | null = null
  let hasText = false
  let hasThought = false
  const tags = splitThinkTag()

  function parseData(data: string): { text: string; thought: string } {
    const chunk = readChunk(data)
    if (chunk.error) throw errorInStream(chunk.error)
    const choice = chunk.choices?.[0]
    if (choice?.finish_reason) reason = reasonOf(choice.finish_reason)
    const delta = choice?.delta
    const { text, thought } = delta ? tags.read(textIn(delta)) : { text: '', thought: '' }
    const whole = delta ? thoughtIn(delta) + thought : ''
    if (whole !== '' || (delta && hasReasoning(delta))) onSign('thought')
    hasThought ||= whole !== ''
    if (chunk.usage) usage = usageOf(chunk.usage, hasThought)
    return { text, thought: whole }
  }

  return new Promise((done, fail) => {
    const decoder = new StringDecoder('utf8')
    const lines = dataLines()
    const finish = () => {
      // The connection can be reused if the provider ends the response soon.
      if (!response.complete) setTimeout(() => response.destroy(), HANG_UP_MS).unref()
      const rest = tags.rest()
      if (rest !== '') onText(rest)
      // A stream without `finish_reason` was cut off.
      if (reason) done({ reason, usage })
      else fail(new LlmError('down', hasText ? 'the stream broke off' : 'the stream was empty'))
    }
    const receive = (text: string) => {
      let fresh = ''
      let thought = ''
      try {
        for (const data of lines(text)) {
          if (data === '[DONE]') return finish()
          const parsed = parseData(data)
          fresh += parsed.text
          thought += parsed.thought
        }
      } finally {
        if (thought !== '') onThought?.(thought)
        if (fresh !== '') {
          hasText = true
          onSign('text')
          onText(fresh)
        }
      }
    }
    const attempt = (work: () => void) => {
      try {
        work()
      } catch (error) {
        response.destroy()
        fail(error)
      }
    }
    response.on('data', (bytes: Buffer) => attempt(() => receive(decoder.write(bytes))))
    response.on('end', () =>
      attempt(() => {
        receive(`${decoder.end()}\n`)
        finish()
      }),
    )
    // After `finish_reason` a broken connection does not matter.
    response.on('error', (error) => (reason && !signal.aborted ? done({ reason, usage }) : fail(error)))
  })
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
    // The end may be the beginning of the closing tag.
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

function readChunk(data: string): z.infer<typeof Chunk> {
  let json: unknown
  try {
    json = JSON.parse(data)
  } catch (cause) {
    throw new LlmError('down', `not JSON: ${data.slice(0, 200)}`, cause)
  }
  const chunk = Chunk.safeParse(json)
  if (!chunk.success) throw new LlmError('down', `unknown chunk: ${data.slice(0, 200)}`)
  return chunk.data
}

function reasonOf(reason: string): EndReason {
  return reason === 'length' || reason === 'content_filter' ? reason : 'stop'
}

async function rejection(response: IncomingMessage): Promise<LlmError> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += chunk
    if (text.length > MAX_ERROR_TEXT) break
  }
  const status = response.statusCode ?? 0
  const details = `${status} ${text.slice(0, MAX_ERROR_TEXT)}`
  return new LlmError(kindOf(status, text), details, undefined, undefined, retryAfterMs(response.headers))
}

function errorInStream(error: unknown): LlmError {
  const text = JSON.stringify(error).slice(0, MAX_ERROR_TEXT)
  const code = error !== null && typeof error === 'object' && 'code' in error ? Number(error.code) : Number.NaN
  return new LlmError(kindOf(Number.isInteger(code) ? code : 500, text), text)
}

/** Splits a stream of server-sent events into its `data:` lines; ignores comments and other fields. */
function dataLines(): (text: string) => string[] {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    const found: string[] = []
    for (const line of lines) {
      const data = dataOf(line)
      if (data !== null) found.push(data)
    }
    return found
  }
}

function dataOf(line: string): string | null {
  if (!line.startsWith('data:')) return null
  const from = line.charCodeAt(5) === 32 ? 6 : 5
  return line.endsWith('\r') ? line.slice(from, -1) : line.slice(from)
}
