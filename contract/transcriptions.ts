import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Attachment } from './files.ts'
import { knownOr } from './known-or.ts'
import { PageQuery } from './paging.ts'

export const TranscriptionStatus = z.enum(['uploading', 'queued', 'working', 'ready', 'failed'])
export type TranscriptionStatus = z.infer<typeof TranscriptionStatus>

/** Times are seconds from the beginning of the recording. */
export const Segment = z.object({
  start: z.number(),
  end: z.number(),
  text: z.string(),
  /** The key of a speaker; null when the model does not tell who spoke. */
  speaker: z._default(z.nullable(z.string()), null),
})
export type Segment = z.infer<typeof Segment>

export const MAX_SPEAKER_NAME = 80
/** A colour of a speaker is an index into a list of so many. */
export const SPEAKER_COLORS = 8

/** A person on a recording. The name is «Участник 1» until somebody gives another. */
export const Speaker = z.object({ key: z.string(), name: z.string(), color: z.int() })
export type Speaker = z.infer<typeof Speaker>

/** The name that a speaker has until it is given one: `s3` is «Участник 3». */
export const usualSpeakerName = (key: string) => `Участник ${key.slice(1)}`

export const TranscriptionRow = z.object({
  id: z.string(),
  title: z.string(),
  fileName: z.string(),
  /** Null until the upload is complete. */
  mime: z.nullable(z.string()),
  bytes: z.int(),
  /** Bytes received so far. */
  received: z.int(),
  durationMs: z.nullable(z.int()),
  /** Null lets the model detect it. */
  language: z.nullable(z.string()),
  modelId: z.nullable(z.string()),
  status: knownOr(TranscriptionStatus, 'working'),
  /** In percent. */
  progress: z.int(),
  partsDone: z.int(),
  /** Null until the recording is cut into parts. */
  partsTotal: z.nullable(z.int()),
  /** The text was corrected; the model's text is stored too. */
  edited: z.boolean(),
  charged: z.int(),
  /** The part of `charged` that another try with the same model does not pay again. */
  paid: z._default(z.int(), 0),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  /** The beginning of the text, or the match of a search. */
  fragment: z.array(z.object({ text: z.string(), hit: z.boolean() })),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type TranscriptionRow = z.infer<typeof TranscriptionRow>

export const Transcription = z.extend(TranscriptionRow, {
  text: z.string(),
  /** Null when the model returns no times. */
  segments: z.nullable(z.array(Segment)),
  /** In the order of their first words. */
  speakers: z._default(z.array(Speaker), []),
})
export type Transcription = z.infer<typeof Transcription>

export const MAX_RECORDING_BYTES = 500 * 1024 * 1024
/** All recordings of one user together. */
export const MAX_RECORDINGS_BYTES = 2 * 1024 * 1024 * 1024
/** Recordings of one user that may be uploading, queued or transcribed at one time. */
export const MAX_UNFINISHED_RECORDINGS = 10
/** Large files are uploaded in chunks of this size; a received chunk is not sent again. */
export const UPLOAD_CHUNK_BYTES = 4 * 1024 * 1024
export const MAX_TRANSCRIPT = 2_000_000
export const MAX_RECORDING_TITLE = 200

/** The model detects others. */
export const languages = {
  ru: 'Русский',
  be: 'Белорусский',
  uk: 'Украинский',
  en: 'Английский',
  de: 'Немецкий',
  fr: 'Французский',
  es: 'Испанский',
  it: 'Итальянский',
  pl: 'Польский',
  lt: 'Литовский',
  kk: 'Казахский',
  zh: 'Китайский',
} as const
export type Language = keyof typeof languages

/** Seconds are rounded up, and so is their price at the rate of a minute. */
export function recordingPrice(seconds: number, minutePrice: number): number {
  return Math.ceil(Number(((Math.ceil(seconds) * minutePrice) / 60).toFixed(6)))
}

const languageCodes = Object.keys(languages) as [Language, ...Language[]]
export const TranscriptionOptions = z.strictObject({
  modelId: z.optional(z.string().check(z.maxLength(200))),
  language: z.optional(z.enum(languageCodes, { error: `Такого языка нет. Бывает ${languageCodes.join(', ')}` })),
})
export type TranscriptionOptions = z.infer<typeof TranscriptionOptions>

/** The price that the button named: a recording that costs more is not started. Absent where none could be named. */
const Most = z.optional(z.int().check(z.minimum(0)))
export const RetryOptions = z.extend(TranscriptionOptions, { most: Most })
export type RetryOptions = z.infer<typeof RetryOptions>

const Title = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_RECORDING_TITLE))
const Time = z.number().check(z.minimum(0), z.maximum(1_000_000))

export const UploadDraft = z.extend(TranscriptionOptions, {
  /** Chosen by the caller: a repeated request with the same id has no effect. */
  id: z.optional(z.string().check(z.regex(/^[\w-]{16,64}$/, { error: 'Нужен номер из 16–64 букв, цифр и дефисов' }))),
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
  bytes: z
    .int()
    .check(
      z.minimum(1, { error: 'Файл пустой' }),
      z.maximum(MAX_RECORDING_BYTES, { error: `Файл больше ${MAX_RECORDING_BYTES / 1024 / 1024} МБ` }),
    ),
  title: z.optional(Title),
})
export type UploadDraft = z.infer<typeof UploadDraft>

const SpeakerKey = z.string().check(z.regex(/^s\d{1,4}$/, { error: 'Нужен ключ участника, например «s1»' }))

export const SpeakerChange = z.strictObject({
  key: SpeakerKey,
  /** An empty name brings «Участник 1» back. */
  name: z.optional(z.string().check(z.trim(), z.maxLength(MAX_SPEAKER_NAME))),
  color: z.optional(z.int().check(z.minimum(0), z.maximum(SPEAKER_COLORS - 1))),
  /** Joins it with another: all its segments become the other's. Null separates them again. */
  joinedTo: z.optional(z.nullable(SpeakerKey)),
})
export type SpeakerChange = z.infer<typeof SpeakerChange>

export const TranscriptionChange = z.strictObject({
  title: z.optional(Title),
  /** Drops the segment times. */
  text: z.optional(z.string().check(z.maxLength(MAX_TRANSCRIPT))),
  segments: z.optional(
    z
      .array(
        z.strictObject({
          start: Time,
          end: Time,
          text: z.string().check(z.maxLength(20_000)),
          /** Without it the segment of the same time keeps its speaker. */
          speaker: z.optional(z.nullable(SpeakerKey)),
        }),
      )
      .check(z.maxLength(50_000)),
  ),
  /** Names, colours and joins of the named speakers; the others stay. */
  speakers: z.optional(z.array(SpeakerChange).check(z.maxLength(100))),
  /** Restores the model's text. */
  original: z.optional(z.literal(true)),
})
export type TranscriptionChange = z.infer<typeof TranscriptionChange>

export const TranscriptionFilter = z.extend(PageQuery, {
  /** Searches titles and texts by Russian word forms. */
  query: z.optional(z.string().check(z.maxLength(200))),
})
export type TranscriptionFilter = z.infer<typeof TranscriptionFilter>

export const UploadProgress = z.object({ id: z.string(), received: z.int(), bytes: z.int(), chunkBytes: z.int() })
export type UploadProgress = z.infer<typeof UploadProgress>

export const transcriptFormats = ['txt', 'docx', 'srt', 'vtt'] as const
export type TranscriptFormat = (typeof transcriptFormats)[number]

export const transcriptionsApi = {
  list: endpoint('GET', '/api/transcriptions', {
    who: 'user',
    summary: 'Расшифровки, новые сверху; с query поиск по названиям и текстам',
    query: TranscriptionFilter,
    returns: z.array(TranscriptionRow),
  }),
  create: endpoint('POST', '/api/transcriptions', {
    who: 'user',
    summary: 'Расшифровать запись: multipart, поля modelId и language, затем file; звук или видео до 500 МБ',
    takes: 'form',
    returns: Transcription,
  }),
  begin: endpoint('POST', '/api/transcriptions/uploads', {
    who: 'user',
    summary: 'Начать загрузку по частям: большой файл не потеряется, если прервётся связь',
    body: UploadDraft,
    returns: UploadProgress,
  }),
  uploaded: endpoint('GET', '/api/transcriptions/uploads/:id', {
    who: 'user',
    summary: 'Сколько байт уже пришло: с этого места загрузка продолжается',
    returns: UploadProgress,
  }),
  put: endpoint('PUT', '/api/transcriptions/uploads/:id', {
    who: 'user',
    summary: 'Следующая часть: тело запроса — байты от offset, столько, сколько названо в chunkBytes, или до конца',
    query: z.object({ offset: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(MAX_RECORDING_BYTES)) }),
    takes: 'bytes',
    returns: UploadProgress,
  }),
  finish: endpoint('POST', '/api/transcriptions/uploads/:id/finish', {
    who: 'user',
    summary:
      'Всё пришло: узнать, что это за запись, и поставить её в очередь; дороже most она не начнётся (409), а дождётся нового finish',
    body: z.strictObject({ most: Most }),
    returns: Transcription,
  }),
  get: endpoint('GET', '/api/transcriptions/:id', {
    who: 'user',
    summary: 'Расшифровка целиком',
    returns: Transcription,
  }),
  update: endpoint('PATCH', '/api/transcriptions/:id', {
    who: 'user',
    summary: 'Переименовать, исправить текст, назвать и объединить участников или вернуть исходный текст',
    body: TranscriptionChange,
    returns: Transcription,
  }),
  retry: endpoint('POST', '/api/transcriptions/:id/retry', {
    who: 'user',
    summary: 'Попробовать снова, при желании другой моделью; если это дороже most, ответ 409',
    body: RetryOptions,
    returns: Transcription,
  }),
  stop: endpoint('POST', '/api/transcriptions/:id/stop', {
    who: 'user',
    consent: 'unneeded',
    summary: 'Остановить; спишется за минуты, которые уже отправлены модели',
    returns: Transcription,
  }),
  delete: endpoint('DELETE', '/api/transcriptions/:id', {
    who: 'user',
    summary: 'Удалить запись и её текст',
    returns: z.object({ id: z.string() }),
  }),
  ask: endpoint('POST', '/api/transcriptions/:id/ask', {
    who: 'user',
    summary: 'Текст записи файлом, который можно приложить к сообщению',
    returns: Attachment,
  }),
  audio: endpoint('GET', '/api/transcriptions/:id/audio', {
    who: 'user',
    summary: 'Звук записи; заголовок Range просит часть',
    answers: 'file',
  }),
  export: endpoint('GET', '/api/transcriptions/:id/export', {
    who: 'user',
    summary: 'Текст записи файлом',
    query: z.object({ format: z.enum(transcriptFormats, { error: 'Бывает «txt», «docx», «srt» и «vtt»' }) }),
    answers: 'file',
  }),
}
