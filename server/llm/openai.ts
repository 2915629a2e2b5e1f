import type { IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import * as z from 'zod/mini'
import { AppError } from '#server/lib/errors.ts'
import { type ByteBudget, picturesInFlight } from './byte-budget.ts'
import { kindOf, LlmError } from './errors.ts'
import type { EndReason, Llm, LlmEnd, LlmUsage, OnText } from './llm.ts'
import { postJson } from './post-json.ts'
import { requestBody } from './request-body.ts'
import { abortedBy, retryAfterMs } from './retry.ts'
import { dataLines } from './sse.ts'

export interface ProviderAddress {
  baseUrl: string
  apiKey: string | null
}

/** How long a model may say nothing. */
export interface ModelTimeouts {
  /** Until the first word, or the first thought of a model that shows them. */
  firstTokenMs: number
  /** Between two words or thoughts; comments and empty deltas are neither. */
  silenceMs: number
  /** All thinking of one answer. */
  thinkingMs: number
}

export const usualTimeouts: ModelTimeouts = { firstTokenMs: 90_000, silenceMs: 60_000, thinkingMs: 600_000 }
const MAX_ERROR_TEXT = 4000
const HANG_UP_MS = 5000

/** Any endpoint that speaks OpenAI's chat completions. Only what is used is read: gateways add and leave out the rest. */
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
      // Nothing here keeps the body: it is free as soon as it is sent.
      const response = await postJson(url, headers, requestBody(request, budget, silence.signal), silence.signal)
      if (response.statusCode !== 200) throw await rejection(response)
      return await readAnswer(response, signal, onText, silence.broken)
    } catch (error) {
      const reason = silence.explain(error)
      silence.hangUp()
      throw reason
    } finally {
      silence.end()
    }
  }
}

const Chunk = z.object({
  choices: z.optional(
    z.nullable(
      z.array(
        z.object({
          delta: z.optional(
            z.nullable(
              z.object({
                content: z.optional(z.nullable(z.string())),
                // Thoughts go by several names and are only counted as signs of life.
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
  usage: z.optional(z.nullable(z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }))),
  error: z.optional(z.unknown()),
})

type Delta = NonNullable<NonNullable<NonNullable<z.infer<typeof Chunk>['choices']>[number]['delta']>>

const isThought = ({ reasoning, reasoning_content, reasoning_details }: Delta) =>
  [reasoning, reasoning_content, reasoning_details].some(
    (thought) => (typeof thought === 'string' || Array.isArray(thought)) && thought.length > 0,
  )

/** Reads until `[DONE]` or the end of the wire. Each piece that comes off the wire is handed on in one go. */
function readAnswer(
  response: IncomingMessage,
  signal: AbortSignal,
  onText: OnText,
  onSign: (sign: 'text' | 'thought') => void,
): Promise<LlmEnd> {
  let reason: EndReason | null = null
  let usage: LlmUsage | null = null
  let spoke = false

  function take(data: string): string {
    const chunk = readChunk(data)
    if (chunk.error) throw errorInStream(chunk.error)
    if (chunk.usage) usage = { inputTokens: chunk.usage.prompt_tokens, outputTokens: chunk.usage.completion_tokens }
    const choice = chunk.choices?.[0]
    if (choice?.finish_reason) reason = reasonOf(choice.finish_reason)
    if (choice?.delta && isThought(choice.delta)) onSign('thought')
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
    const receive = (text: string) => {
      let said = ''
      try {
        for (const data of lines(text)) {
          if (data === '[DONE]') return finish()
          said += take(data)
        }
      } finally {
        if (said !== '') {
          spoke = true
          onSign('text')
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
    response.on('data', (bytes: Buffer) => attempt(() => receive(decoder.write(bytes))))
    response.on('end', () =>
      attempt(() => {
        receive(`${decoder.end()}\n`)
        finish()
      }),
    )
    // A model that had finished has finished, even if the line breaks or falls silent before its last word.
    response.on('error', (error) => (reason && !signal.aborted ? done({ reason, usage }) : fail(error)))
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

async function rejection(response: IncomingMessage): Promise<LlmError> {
  let text = ''
  response.setEncoding('utf8')
  for await (const piece of response) {
    text += piece
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

interface Timeouts {
  refresh: () => void
  end: () => void
}

/** A timer so late means that this process itself stood still. */
const STOOD_STILL_MS = 1000
/** What came meanwhile is read first. */
const CATCH_UP_MS = 2000

/** Acts after so long, unless the process was frozen all the while: then what lies in the socket is read before that. */
function startTimer(ms: number, action: () => void): Timeouts {
  let due = performance.now() + ms
  let timer = setTimeout(ring, ms)
  let isUsual = true
  function ring() {
    const wait = performance.now() - due > STOOD_STILL_MS ? CATCH_UP_MS : null
    if (wait === null) return action()
    isUsual = false
    due = performance.now() + wait
    timer = setTimeout(ring, wait)
  }
  return {
    refresh: () => {
      due = performance.now() + ms
      if (isUsual) return void timer.refresh()
      clearTimeout(timer)
      timer = setTimeout(ring, ms)
      isUsual = true
    },
    end: () => clearTimeout(timer),
  }
}

/** Gives up on a provider that says nothing for too long, and tells that apart from being told to stop. */
function watchSilence(outer: AbortSignal, { firstTokenMs, silenceMs, thinkingMs }: ModelTimeouts) {
  const own = new AbortController()
  const giveUpAfter = (ms: number) => startTimer(ms, () => own.abort())
  let timer = giveUpAfter(firstTokenMs)
  let isBroken = false
  let thinkingLeft = thinkingMs
  let thinking: { timer: Timeouts; since: number } | null = null

  function stopThinking(): void {
    if (!thinking) return
    thinking.timer.end()
    thinkingLeft -= performance.now() - thinking.since
    thinking = null
  }

  return {
    signal: AbortSignal.any([outer, own.signal]),
    broken: (sign: 'text' | 'thought') => {
      if (sign === 'text') stopThinking()
      else thinking ??= { timer: giveUpAfter(Math.max(0, thinkingLeft)), since: performance.now() }
      if (isBroken) {
        timer.refresh()
        return
      }
      isBroken = true
      timer.end()
      timer = giveUpAfter(silenceMs)
    },
    explain: (error: unknown): unknown => {
      if (error instanceof LlmError || error instanceof AppError) return error
      if (outer.aborted) return abortedBy(outer, error)
      if (own.signal.aborted) return new LlmError('timeout', 'silent or thinking for too long', error)
      return new LlmError('down', error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : '', error)
    },
    hangUp: () => own.abort(),
    end: () => {
      timer.end()
      stopThinking()
    },
  }
}
