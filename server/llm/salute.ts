import * as z from 'zod/mini'
import type { Connection } from './connection.ts'
import { LlmError } from './errors.ts'
import type { RecognizeRequest, Recognizer, RunningOperation, Transcript } from './llm.ts'
import { type Patience, parseJson, poll, readAnswer, sendAgain, usualPatience } from './recognition.ts'

/** What the upload and the task call a format. */
const formats: Record<string, { type: string; encoding: string }> = {
  'audio/ogg': { type: 'audio/ogg;codecs=opus', encoding: 'OPUS' },
  'audio/mpeg': { type: 'audio/mpeg', encoding: 'MP3' },
  'audio/flac': { type: 'audio/flac', encoding: 'FLAC' },
}

const languageCodes: Record<string, string> = { ru: 'ru-RU', en: 'en-US', kk: 'kk-KZ' }

/** SaluteSpeech of Sber: the file is uploaded, then a task is made of it. Tells more than two speakers apart. */
export function saluteSpeech({ post, get }: Connection, patience: Patience = usualPatience): Recognizer {
  async function upload(request: RecognizeRequest, signal: AbortSignal): Promise<string> {
    const { sound, mime } = request
    const headers = { 'content-type': formatOf(mime).type }
    const body = () => ({ length: sound.bytes, chunks: sound.read })
    const open = (both: AbortSignal) => post('/data:upload', { headers, body, signal: both })
    return read(Uploaded, await sendAgain(open, request, signal, patience)).result.request_file_id
  }

  async function start(request: RecognizeRequest, signal: AbortSignal): Promise<string> {
    const body = JSON.stringify({ request_file_id: await upload(request, signal), options: optionsOf(request) })
    const open = (both: AbortSignal) => post('/speech:async_recognize', { body: () => body, signal: both })
    return read(Task, await sendAgain(open, request, signal, patience)).result.id
  }

  async function taskResult({ id }: RunningOperation, signal: AbortSignal): Promise<Transcript | 'running'> {
    const { result } = read(Task, await readAnswer(get(`/task:get?id=${encodeURIComponent(id)}`, signal), signal))
    if (result.status === 'ERROR' || result.status === 'CANCELED')
      throw new LlmError('refused', { reason: 'recognition-failed' })
    if (result.status !== 'DONE' || !result.response_file_id) return 'running'
    const path = `/data:download?response_file_id=${encodeURIComponent(result.response_file_id)}`
    return readResults(await readAnswer(get(path, signal), signal))
  }

  return {
    maxSeconds: 4 * 3600,
    maxBytes: 1024 ** 3,
    languages: Object.keys(languageCodes),
    mimes: Object.keys(formats),
    start,
    result: (operation, signal) => poll((both) => taskResult(operation, both), operation, signal, patience),
  }
}

const formatOf = (mime: string) => formats[mime] ?? { type: mime, encoding: 'OPUS' }

function optionsOf({ model, mime, language, speakers }: RecognizeRequest): object {
  return {
    model,
    audio_encoding: formatOf(mime).encoding,
    language: languageCodes[language ?? 'ru'],
    hypotheses_count: 1,
    channels_count: 1,
    ...(speakers
      ? {
          speaker_separation_options: {
            enable: true,
            enable_only_main_speaker: false,
            ...(speakers.max === null ? {} : { count: speakers.max }),
          },
        }
      : {}),
  }
}

const Uploaded = z.object({ result: z.object({ request_file_id: z.string() }) })
const Task = z.object({
  result: z.object({
    id: z.string(),
    status: z.optional(z.string()),
    response_file_id: z.optional(z.nullable(z.string())),
  }),
})

/** «0.320s» */
const time = z.optional(z.nullable(z.string()))
const Results = z.array(
  z.object({
    results: z.array(
      z.object({
        text: z.optional(z.nullable(z.string())),
        normalized_text: z.optional(z.nullable(z.string())),
        start: time,
        end: time,
      }),
    ),
    speaker_info: z.optional(z.nullable(z.object({ speaker_id: z.optional(z.nullable(z.number())) }))),
  }),
)

function read<Schema extends z.core.$ZodType>(schema: Schema, text: string): z.output<Schema> {
  const parsed = z.safeParse(schema, parseJson(text))
  if (!parsed.success) throw new LlmError('down', { reason: 'unknown-answer' })
  return parsed.data
}

/** With separation each phrase comes in the mixed track (−1) and again as its speaker's: only the second counts. */
function readResults(text: string): Transcript {
  const phrases = read(Results, text).flatMap(({ results, speaker_info }) => {
    const [best] = results
    const spoken = (best?.normalized_text || best?.text || '').trim()
    if (!best || spoken === '') return []
    return { start: secondsIn(best.start), end: secondsIn(best.end), text: spoken, id: speaker_info?.speaker_id ?? -1 }
  })
  const isSeparated = phrases.some(({ id }) => id > 0)
  const segments = phrases
    .filter(({ id }) => !isSeparated || id > 0)
    .sort((a, b) => a.start - b.start)
    .map(({ id, ...phrase }) => ({ ...phrase, speaker: isSeparated ? String(id) : null }))
  return {
    text: segments.map((segment) => segment.text).join(' '),
    segments: segments.length > 0 ? segments : null,
    seconds: null,
  }
}

const secondsIn = (text: string | null | undefined) => Number.parseFloat(text ?? '') || 0
