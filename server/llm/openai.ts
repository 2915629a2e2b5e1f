import * as z from 'zod/mini'
import { faultOf, LlmError } from './errors.ts'
import type { EndReason, Llm, LlmEvent, LlmMessage, LlmUsage } from './llm.ts'
import { dataLines } from './sse.ts'

export interface ProviderAddress {
  baseUrl: string
  apiKey: string | null
}

interface Timeouts {
  /** Until the first piece of the answer. */
  firstMs: number
  /** Between two pieces. */
  idleMs: number
}

const patience: Timeouts = { firstMs: 90_000, idleMs: 60_000 }
const MAX_ERROR_TEXT = 4000

/** Any endpoint that speaks OpenAI's chat completions. Only what is used is read: gateways add and leave out the rest. */
export function openAiLlm({ baseUrl, apiKey }: ProviderAddress, timeouts = patience): Llm {
  return async function* ({ model, messages, maxTokens }, signal) {
    const silence = watchSilence(signal, timeouts.firstMs)
    try {
      const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        },
        body: JSON.stringify({
          model,
          messages: messages.map(wireMessage),
          stream: true,
          stream_options: { include_usage: true },
          ...(maxTokens ? { max_completion_tokens: maxTokens } : {}),
        }),
        signal: silence.signal,
      })
      if (!response.ok || !response.body) throw await refusal(response)
      yield* readAnswer(silence.watch(response.body as AsyncIterable<Uint8Array>, timeouts.idleMs))
    } catch (error) {
      throw silence.explain(error)
    } finally {
      silence.end()
    }
  }
}

function wireMessage({ role, content, pictures }: LlmMessage): object {
  if (!pictures) return { role, content }
  const images = pictures.map((url) => ({ type: 'image_url', image_url: { url } }))
  return { role, content: [{ type: 'text', text: content }, ...images] }
}

const Chunk = z.object({
  choices: z.optional(
    z.nullable(
      z.array(
        z.object({
          delta: z.optional(z.nullable(z.object({ content: z.optional(z.nullable(z.string())) }))),
          finish_reason: z.optional(z.nullable(z.string())),
        }),
      ),
    ),
  ),
  usage: z.optional(z.nullable(z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }))),
  error: z.optional(z.unknown()),
})

async function* readAnswer(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<LlmEvent> {
  let reason: EndReason | null = null
  let usage: LlmUsage | null = null
  let spoke = false
  for await (const data of dataLines(pieces)) {
    if (data === '[DONE]') break
    const chunk = readChunk(data)
    if (chunk.error) throw errorInStream(chunk.error)
    if (chunk.usage) usage = { inputTokens: chunk.usage.prompt_tokens, outputTokens: chunk.usage.completion_tokens }
    const choice = chunk.choices?.[0]
    if (choice?.delta?.content) {
      spoke = true
      yield { type: 'text', text: choice.delta.content }
    }
    if (choice?.finish_reason) reason = reasonOf(choice.finish_reason)
  }
  // A stream that just stops has been cut: only `finish_reason` says that the model had finished.
  if (!reason) throw new LlmError('down', spoke ? 'the stream broke off' : 'the stream was empty')
  yield { type: 'end', reason, usage }
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

async function refusal(response: Response): Promise<LlmError> {
  const text = (await response.text().catch(() => '')).slice(0, MAX_ERROR_TEXT)
  return new LlmError(faultOf(response.status, text), `${response.status} ${text}`)
}

function errorInStream(error: unknown): LlmError {
  const text = JSON.stringify(error).slice(0, MAX_ERROR_TEXT)
  const code = error !== null && typeof error === 'object' && 'code' in error ? Number(error.code) : Number.NaN
  return new LlmError(faultOf(Number.isInteger(code) ? code : 500, text), text)
}

/** Gives up on a provider that says nothing for too long, and tells that apart from being told to stop. */
function watchSilence(outer: AbortSignal, firstMs: number) {
  const own = new AbortController()
  const wait = (ms: number) => setTimeout(() => own.abort(), ms)
  let timer = wait(firstMs)

  async function* watch(pieces: AsyncIterable<Uint8Array>, idleMs: number): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      clearTimeout(timer)
      timer = wait(idleMs)
      yield piece
    }
  }

  return {
    signal: AbortSignal.any([outer, own.signal]),
    watch,
    explain: (error: unknown): unknown => {
      if (error instanceof LlmError) return error
      if (outer.aborted) return isOutOfTime(outer.reason) ? new LlmError('timeout', 'took too long', error) : error
      if (own.signal.aborted) return new LlmError('timeout', 'silent for too long', error)
      return new LlmError('down', error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : '', error)
    },
    end: () => {
      clearTimeout(timer)
      own.abort()
    },
  }
}

/** The caller gave it so much time and no more; being told to stop is something else. */
const isOutOfTime = (reason: unknown) => reason instanceof DOMException && reason.name === 'TimeoutError'
