import type { IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import * as z from 'zod/mini'
import { faultOf, LlmError } from './errors.ts'
import type { EndReason, Llm, LlmEnd, LlmMessage, LlmRequest, LlmUsage, OnText } from './llm.ts'
import { postJson } from './post-json.ts'
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
const HANG_UP_MS = 5000

/** Any endpoint that speaks OpenAI's chat completions. Only what is used is read: gateways add and leave out the rest. */
export function openAiLlm({ baseUrl, apiKey }: ProviderAddress, timeouts = patience): Llm {
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/chat/completions`)
  const headers = { accept: 'text/event-stream', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) }
  return async (request, signal, onText) => {
    const silence = watchSilence(signal, timeouts.firstMs)
    try {
      const response = await postJson(url, headers, JSON.stringify(wireRequest(request)), silence.signal)
      if (response.statusCode !== 200) throw await refusal(response)
      return await readAnswer(response, onText, () => silence.broken(timeouts.idleMs))
    } catch (error) {
      const reason = silence.explain(error)
      silence.hangUp()
      throw reason
    } finally {
      silence.end()
    }
  }
}

function wireRequest({ model, messages, maxTokens }: LlmRequest): object {
  return {
    model,
    messages: messages.map(wireMessage),
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens ? { max_completion_tokens: maxTokens } : {}),
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

/** Reads until `[DONE]` or the end of the wire. Each piece that comes off the wire is handed on in one go. */
function readAnswer(response: IncomingMessage, onText: OnText, onSound: () => void): Promise<LlmEnd> {
  let reason: EndReason | null = null
  let usage: LlmUsage | null = null
  let spoke = false

  function take(data: string): string {
    const chunk = readChunk(data)
    if (chunk.error) throw errorInStream(chunk.error)
    if (chunk.usage) usage = { inputTokens: chunk.usage.prompt_tokens, outputTokens: chunk.usage.completion_tokens }
    const choice = chunk.choices?.[0]
    if (choice?.finish_reason) reason = reasonOf(choice.finish_reason)
    return choice?.delta?.content ?? ''
  }

  return new Promise((done, fail) => {
    const decoder = new StringDecoder('utf8')
    const lines = dataLines()
    const finish = () => {
      // The line may serve the next request, if the provider ends this answer soon.
      if (!response.complete) setTimeout(() => response.destroy(), HANG_UP_MS).unref()
      // A stream that just stops has been cut: only `finish_reason` says that the model had finished.
      if (reason) done({ reason, usage })
      else fail(new LlmError('down', spoke ? 'the stream broke off' : 'the stream was empty'))
    }
    const hear = (text: string) => {
      let said = ''
      try {
        for (const data of lines(text)) {
          if (data === '[DONE]') return finish()
          said += take(data)
        }
      } finally {
        if (said !== '') {
          spoke = true
          onText(said)
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
    response.on('data', (bytes: Buffer) => {
      onSound()
      attempt(() => hear(decoder.write(bytes)))
    })
    response.on('end', () =>
      attempt(() => {
        hear(`${decoder.end()}\n`)
        finish()
      }),
    )
    response.on('error', fail)
  })
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

async function refusal(response: IncomingMessage): Promise<LlmError> {
  let text = ''
  response.setEncoding('utf8')
  for await (const piece of response) {
    text += piece
    if (text.length > MAX_ERROR_TEXT) break
  }
  const status = response.statusCode ?? 0
  return new LlmError(faultOf(status, text), `${status} ${text.slice(0, MAX_ERROR_TEXT)}`)
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
  let isIdle = false

  return {
    signal: AbortSignal.any([outer, own.signal]),
    broken: (idleMs: number) => {
      if (isIdle) {
        timer.refresh()
        return
      }
      isIdle = true
      clearTimeout(timer)
      timer = wait(idleMs)
    },
    explain: (error: unknown): unknown => {
      if (error instanceof LlmError) return error
      if (outer.aborted)
        return isOutOfTime(outer.reason) ? new LlmError('timeout', 'took too long', error) : outer.reason
      if (own.signal.aborted) return new LlmError('timeout', 'silent for too long', error)
      return new LlmError('down', error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : '', error)
    },
    hangUp: () => own.abort(),
    end: () => clearTimeout(timer),
  }
}

/** The caller gave it so much time and no more; being told to stop is something else. */
const isOutOfTime = (reason: unknown) => reason instanceof DOMException && reason.name === 'TimeoutError'
