import { TranscriptionBody } from '#contract/openai.ts'
import { recordingPrice } from '#contract/transcriptions.ts'
import { checkSound, expectedSeconds, measureSound } from '#server/audio/duration.ts'
import { needsConversion, recogniseSound, soundOf } from '#server/audio/sound.ts'
import { withoutNul } from '#server/http/route.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Transcript } from '#server/llm/llm.ts'
import { costOfUnits, type ModelRow } from '../models/models.ts'
import { recordSideCost } from '../models/side-costs.ts'
import { srtFile, vttFile } from '../transcriptions/export.ts'
import { namedSeconds, paidSeconds, reportedSeconds } from '../transcriptions/money.ts'
import type { ProgramDeps } from './chat.ts'
import { checkBody, type ProgramCall } from './door.ts'
import { badField } from './errors.ts'
import { findModelOf } from './models.ts'
import { symbolHeaders } from './run-chat.ts'
import { underHold, WastedWork } from './under-hold.ts'

interface Recording {
  bytes: Uint8Array
  mime: string
  name: string
  /** The length that symbols are held for. */
  seconds: number
  counted: number | null
}

/** POST /v1/audio/transcriptions. The recording is not stored. */
export async function answerTranscription(asked: ProgramCall, deps: ProgramDeps): Promise<Response> {
  const { c, key, left } = asked
  const form = await readForm(asked)
  const file = form.get('file')
  if (!file || typeof file === 'string') throw badField('file', 'Нужно поле file с записью.')
  const fields = Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
  const body = checkBody(TranscriptionBody, withoutNul(fields))
  if (body.stream === 'true') throw badField('stream', 'Расшифровка приходит целиком, без потока.', 'unsupported_value')
  const model = await findModelOf(deps.db, key, body.model, 'transcription')
  const recording = await measured(new Uint8Array(await file.arrayBuffer()))
  const perMinute = model.minutePrice ?? 0
  const format = body.response_format ?? 'json'
  const { result, symbols } = await deps.calls.run(key, (stops) =>
    underHold(
      deps,
      { key, left, stops },
      {
        kind: 'transcription',
        symbols: recordingPrice(recording.seconds, perMinute),
        details: { modelId: model.id },
        run: async (signal) => {
          const transcript = await transcribe(deps, model, recording, body.language ?? null, signal)
          if (!transcript.segments && (format === 'srt' || format === 'vtt')) throw new WastedWork(noSubtitles())
          const seconds = paidSeconds(recording.counted, reportedSeconds(transcript), recording.seconds)
          return { result: { ...transcript, seconds }, cost: recordingPrice(seconds, perMinute) }
        },
      },
    ),
  )
  await recordSideCost(
    deps.db,
    { kind: 'transcription', userId: key.userId, model },
    costOfUnits(model, result.seconds / 60),
  )
  const headers = symbolHeaders(symbols)
  if (format === 'json' || format === 'verbose_json')
    return c.json(
      { ...transcriptOf(result, format, body.language), usage: { type: 'duration', seconds: result.seconds, symbols } },
      200,
      headers,
    )
  return c.text(await textOf(result, format), 200, headers)
}

async function readForm({ c, bytes }: ProgramCall): Promise<FormData> {
  const type = c.req.header('content-type') ?? ''
  if (!type.startsWith('multipart/form-data'))
    throw new AppError('unsupported_media_type', 'Запись передают как multipart/form-data, в поле file.')
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  } catch {
    throw badField('file', 'Форма не читается: в её тексте ошибка.')
  }
}

async function measured(bytes: Uint8Array): Promise<Recording> {
  const sound = soundOf(bytes)
  const { mime, extension } = await recogniseSound(sound)
  if (needsConversion(mime))
    throw badField(
      'file',
      'Записи такого вида не принимаются. Сохраните её как MP3, WAV, M4A, OGG, WebM или FLAC.',
      'unsupported_value',
    )
  await checkSound(sound, mime)
  const measure = await measureSound(sound, mime)
  const known = expectedSeconds(measure, bytes.length, mime)
  const seconds = known ?? namedSeconds({ durationMs: null, bytes: bytes.length })
  return { bytes, mime, name: `recording.${extension}`, seconds, counted: measure.counted }
}

/** Providers that take whole recordings work on them by themselves and are asked for the result. */
async function transcribe(
  { providers }: ProgramDeps,
  model: ModelRow,
  { bytes, mime, name, seconds }: Recording,
  language: string | null,
  signal: AbortSignal,
): Promise<Transcript> {
  const request = { model: model.providerModel, mime, language, seconds }
  const recognizer = providers.recognizer(model.provider)
  if (!recognizer) return providers.transcribe(model.provider)({ ...request, audio: bytes, name }, signal)
  if (language !== null && !recognizer.languages.includes(language))
    throw badField('language', `Эта модель знает языки: ${recognizer.languages.join(', ')}.`, 'unsupported_value')
  if (!recognizer.mimes.includes(mime))
    throw badField(
      'file',
      'Эта модель не принимает записи в таком формате. Сохраните запись в MP3 или OGG.',
      'unsupported_value',
    )
  if (seconds > recognizer.maxSeconds || bytes.length > recognizer.maxBytes)
    throw badField('file', 'Запись слишком длинная для этой модели.', 'unsupported_value')
  const read = async function* () {
    yield bytes
  }
  const id = await recognizer.start({ ...request, sound: { bytes: bytes.length, read }, speakers: null }, signal)
  return recognizer.result({ id, seconds }, signal)
}

function transcriptOf(
  { text, segments, seconds }: Transcript,
  format: 'json' | 'verbose_json',
  language: string | null | undefined,
) {
  if (format === 'json') return { text }
  return {
    task: 'transcribe',
    language: language ?? null,
    duration: seconds,
    text,
    segments: (segments ?? []).map(({ start, end, text: words }, id) => ({ id, start, end, text: words })),
  }
}

const noSubtitles = () =>
  badField('response_format', 'Эта модель не даёт меток времени, поэтому субтитров нет.', 'unsupported_value')

async function textOf({ text, segments }: Transcript, format: 'text' | 'srt' | 'vtt'): Promise<string> {
  if (format === 'text') return `${text}\n`
  const lines = (segments ?? []).map(({ start, end, text: words }) => ({ start, end, text: words, speaker: null }))
  return format === 'srt' ? srtFile(lines) : vttFile(lines)
}
