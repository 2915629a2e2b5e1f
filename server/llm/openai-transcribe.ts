import type { IncomingMessage } from 'node:http'
import * as z from 'zod/mini'
import type { Connection } from './connection.ts'
import { LlmError, rejectedBy, unreachable } from './errors.ts'
import type { KnownVoice, Transcribe, TranscribeRequest, Transcript, TranscriptSegment } from './llm.ts'
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
  async function send(path: string, request: TranscribeRequest, form: FormData, signal: AbortSignal): Promise<string> {
    const time = AbortSignal.timeout(timeouts.baseMs + Math.ceil((request.seconds ?? 600) * 1000))
    const encoded = new Response(form)
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
    try {
      const body = Buffer.from(await encoded.arrayBuffer())
      const both = AbortSignal.any([signal, time])
      const response = await post(path, { headers, body: () => body, signal: both })
      const text = await textOf(response)
      if (response.statusCode !== 200) throw rejection(response, text)
      return text
    } catch (error) {
      if (error instanceof LlmError) throw error
      if (signal.aborted) throw signal.reason
      if (time.aborted) throw new LlmError('timeout', { reason: 'late' })
      throw unreachable(error)
    }
  }

  const askOnce = async (request: TranscribeRequest, form: FormData, signal: AbortSignal) =>
    readTranscription(await send('/audio/transcriptions', request, form, signal))

  const askTurns = async (request: TranscribeRequest, signal: AbortSignal) =>
    readTurns(await send('/audio/diarization', request, turnsForm(request), signal))

  /** Requests segments with times; retries without them when the model rejects the format. */
  async function ask(request: TranscribeRequest, signal: AbortSignal): Promise<Transcript> {
    const format = formatFor(request)
    try {
      return await askOnce(request, formOf(request, format), signal)
    } catch (error) {
      if (format === 'json' || !(error instanceof LlmError) || error.failure.status !== 400) throw error
      return await askOnce(request, formOf({ ...request, speakers: null }, 'json'), signal)
    }
  }

  const again = <Result>(once: () => Promise<Result>, signal: AbortSignal) =>
    withRetry(once, signal, {
      tries: TRIES,
      waitMs: (attempt) => timeouts.retryMs * 3 ** (attempt - 1),
      mayRetry: (error) => error.isTemporary,
      maxWaitMs: MAX_WAIT_MS,
    })

  /** Text without names is worth more than no text, so a failure of the second request is not one of the recording. */
  async function withTurns(request: TranscribeRequest, transcript: Transcript, signal: AbortSignal) {
    if (request.speakers?.mode !== 'diarization' || !transcript.segments) return transcript
    try {
      const turns = await again(() => askTurns(request, signal), signal)
      return { ...transcript, segments: bySpeakers(transcript.segments, turns) }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof LlmError)) throw error
      return transcript
    }
  }

  return async (request, signal) => withTurns(request, await again(() => ask(request, signal), signal), signal)
}

function rejection({ statusCode = 0, headers }: IncomingMessage, text: string): LlmError {
  return rejectedBy({ status: statusCode, text, headers, retryAfterMs: retryAfterMs(headers) })
}

type Format = 'json' | 'verbose_json' | 'diarized_json'

function formatFor({ model, speakers }: TranscribeRequest): Format {
  if (speakers?.mode === 'diarized_json' || /diarize/i.test(model)) return 'diarized_json'
  if (speakers) return 'verbose_json'
  return /gpt-[\w.-]*transcribe/i.test(model) ? 'json' : 'verbose_json'
}

function formOf({ model, language, speakers, ...recording }: TranscribeRequest, format: Format): FormData {
  const form = new FormData()
  form.set('model', model)
  form.set('response_format', format)
  if (format === 'diarized_json') {
    form.set('chunking_strategy', 'auto')
    addKnownVoices(form, speakers?.known ?? [])
  }
  if (speakers?.mode === 'segments') {
    form.set('diarize', 'true')
    if (speakers.max !== null) form.set('max_speakers', String(speakers.max))
  }
  if (language) form.set(/(^|\/)gpt-transcribe/i.test(model) ? 'languages[]' : 'language', language)
  addFile(form, recording)
  return form
}

/** The only model of speaches for this. */
const TURNS_MODEL = 'pyannote/speaker-diarization-community-1'

function turnsForm({ speakers, ...recording }: TranscribeRequest): FormData {
  const form = new FormData()
  form.set('model', TURNS_MODEL)
  addKnownVoices(form, speakers?.known ?? [])
  addFile(form, recording)
  return form
}

function addKnownVoices(form: FormData, known: readonly KnownVoice[]): void {
  for (const { name, audio } of known) {
    form.append('known_speaker_names[]', name)
    form.append('known_speaker_references[]', `data:audio/wav;base64,${Buffer.from(audio).toString('base64')}`)
  }
}

const addFile = (form: FormData, { audio, name, mime }: Pick<TranscribeRequest, 'audio' | 'name' | 'mime'>) =>
  form.set('file', new File([new Uint8Array(audio)], name, { type: mime }))

const label = z.optional(z.nullable(z.coerce.string()))
const span = { start: z.coerce.number(), end: z.coerce.number(), speaker: label }
const Answer = z.object({
  /** whisperX sends none. */
  text: z.optional(z.string()),
  duration: z.optional(z.nullable(z.coerce.number())),
  segments: z.optional(z.nullable(z.array(z.object({ ...span, text: z.string() })))),
  usage: z.optional(z.nullable(z.object({ seconds: z.optional(z.nullable(z.number())) }))),
})

function readTranscription(text: string): Transcript {
  const answer = Answer.safeParse(parse(text))
  if (!answer.success || (answer.data.text ?? answer.data.segments) == null)
    throw new LlmError('down', { reason: 'unknown-answer' })
  const { duration, segments, usage } = answer.data
  const spoken = segments
    ?.map(({ speaker = null, ...segment }) => ({ ...segment, text: segment.text.trim(), speaker }))
    .filter((one) => one.text !== '')
  return {
    text: (answer.data.text ?? spoken?.map((segment) => segment.text).join(' ') ?? '').trim(),
    segments: spoken && spoken.length > 0 ? spoken : null,
    seconds: usage?.seconds ?? duration ?? null,
  }
}

const Turns = z.object({ segments: z.array(z.object(span)) })
type Turn = z.infer<typeof Turns>['segments'][number]

function readTurns(text: string): Turn[] {
  const answer = Turns.safeParse(parse(text))
  if (!answer.success) throw new LlmError('down', { reason: 'unknown-answer' })
  return answer.data.segments
}

/** Each segment is spoken by whoever speaks longest within it. */
export function bySpeakers(segments: readonly TranscriptSegment[], turns: readonly Turn[]): TranscriptSegment[] {
  return segments.map((segment) => {
    const seconds = new Map<string, number>()
    for (const { start, end, speaker } of turns) {
      const shared = Math.min(end, segment.end) - Math.max(start, segment.start)
      if (speaker && shared > 0) seconds.set(speaker, (seconds.get(speaker) ?? 0) + shared)
    }
    const [longest] = [...seconds].sort((a, b) => b[1] - a[1])
    return { ...segment, speaker: longest?.[0] ?? null }
  })
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
