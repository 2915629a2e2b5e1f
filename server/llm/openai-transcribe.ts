import type { IncomingMessage } from 'node:http'
import * as z from 'zod/mini'
import type { Connection } from './connection.ts'
import { LlmError, rejectedBy, unreachable } from './errors.ts'
import type { Transcribe, TranscribeRequest, Transcript } from './llm.ts'
import { retryAfterMs, withRetry } from './request.ts'

const MAX_ANSWER = 20 * 1024 * 1024
const TRIES = 3
/** Transcription runs in the background, so a longer Retry-After is accepted than in a chat. */
const MAX_WAIT_MS = 60_000

interface Timeouts {
  /** Added to the length of the recording. */
  baseMs: number
  retryMs: number
}
const usual: Timeouts = { baseMs: 120_000, retryMs: 1000 }

/** Any endpoint with OpenAI's audio transcriptions API. */
export function openAiTranscribe({ post }: Connection, timeouts = usual): Transcribe {
  async function askOnce(request: TranscribeRequest, form: FormData, signal: AbortSignal): Promise<Transcript> {
    const time = AbortSignal.timeout(timeouts.baseMs + Math.ceil((request.seconds ?? 600) * 1000))
    const encoded = new Response(form)
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
    try {
      const body = Buffer.from(await encoded.arrayBuffer())
      const both = AbortSignal.any([signal, time])
      const response = await post('/audio/transcriptions', { headers, body: () => body, signal: both })
      const text = await textOf(response)
      if (response.statusCode !== 200) throw rejection(response, text)
      return readTranscription(text)
    } catch (error) {
      if (error instanceof LlmError) throw error
      if (signal.aborted) throw signal.reason
      if (time.aborted) throw new LlmError('timeout', { reason: 'late' })
      throw unreachable(error)
    }
  }

  /** Requests segments with times; retries without them when the model rejects the format. */
  async function ask(request: TranscribeRequest, signal: AbortSignal): Promise<Transcript> {
    const format = formatFor(request.model)
    try {
      return await askOnce(request, formOf(request, format), signal)
    } catch (error) {
      if (format === 'json' || !(error instanceof LlmError) || error.failure.status !== 400) throw error
      return await askOnce(request, formOf(request, 'json'), signal)
    }
  }

  return (request, signal) =>
    withRetry(() => ask(request, signal), signal, {
      tries: TRIES,
      waitMs: (attempt) => timeouts.retryMs * 3 ** (attempt - 1),
      mayRetry: (error) => error.isTemporary,
      maxWaitMs: MAX_WAIT_MS,
    })
}

function rejection({ statusCode = 0, headers }: IncomingMessage, text: string): LlmError {
  return rejectedBy({ status: statusCode, text, headers, retryAfterMs: retryAfterMs(headers) })
}

type Format = 'json' | 'verbose_json' | 'diarized_json'

function formatFor(model: string): Format {
  if (/diarize/i.test(model)) return 'diarized_json'
  return /gpt-[\w.-]*transcribe/i.test(model) ? 'json' : 'verbose_json'
}

function formOf({ model, audio, name, mime, language }: TranscribeRequest, format: Format): FormData {
  const form = new FormData()
  form.set('model', model)
  form.set('response_format', format)
  if (format === 'diarized_json') form.set('chunking_strategy', 'auto')
  if (language) form.set(/(^|\/)gpt-transcribe/i.test(model) ? 'languages[]' : 'language', language)
  form.set('file', new File([new Uint8Array(audio)], name, { type: mime }))
  return form
}

const Answer = z.object({
  text: z.string(),
  duration: z.optional(z.nullable(z.coerce.number())),
  segments: z.optional(
    z.nullable(z.array(z.object({ start: z.coerce.number(), end: z.coerce.number(), text: z.string() }))),
  ),
  usage: z.optional(z.nullable(z.object({ seconds: z.optional(z.nullable(z.number())) }))),
})

function readTranscription(text: string): Transcript {
  const answer = Answer.safeParse(parse(text))
  if (!answer.success) throw new LlmError('down', { reason: 'unknown-answer' })
  const { duration, segments, usage } = answer.data
  const spoken = segments
    ?.map((segment) => ({ ...segment, text: segment.text.trim() }))
    .filter((one) => one.text !== '')
  return {
    text: answer.data.text.trim(),
    segments: spoken && spoken.length > 0 ? spoken : null,
    seconds: usage?.seconds ?? duration ?? null,
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const chunk of response) {
    text += chunk
    if (text.length > MAX_ANSWER) throw new LlmError('down', { reason: 'answer-without-end' })
  }
  return text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
