import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { knownOr } from './known-or.ts'

/** What a model writes about a recording: its minutes, a letter to those who spoke, the list of tasks. */
export const MinutesKind = z.enum(['minutes', 'letter', 'tasks'])
export type MinutesKind = z.infer<typeof MinutesKind>
export const minutesKinds = MinutesKind.options

export const minutesTitles: Record<MinutesKind, string> = {
  minutes: 'Протокол встречи',
  letter: 'Письмо участникам',
  tasks: 'Список задач',
}

export const MinutesStatus = z.enum(['queued', 'working', 'ready', 'failed', 'stopped'])
export type MinutesStatus = z.infer<typeof MinutesStatus>

/** The longest text that its owner may store. */
export const MAX_MINUTES = 100_000
/** A longer recording is read in more than one part, so that nothing in its middle is lost. */
export const MINUTES_PART = 24_000

export const MinutesDocument = z.object({
  kind: MinutesKind,
  /** Of the work on it: a text that was made before stays until the new one is whole. */
  status: knownOr(MinutesStatus, 'working'),
  /** Markdown; empty until the first one is whole. Times are written as «[12:05]». */
  text: z.string(),
  /** Changed by its owner. */
  edited: z.boolean(),
  /** Grows with each change of the text. */
  version: z.int(),
  /** The recording was corrected after this text was made. */
  outdated: z.boolean(),
  modelId: z.nullable(z.string()),
  /** For the text that is being made, or was made last. */
  charged: z.int(),
  stepsDone: z.int(),
  /** Null until the work begins. */
  stepsTotal: z.nullable(z.int()),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  updatedAt: z.iso.datetime(),
})
export type MinutesDocument = z.infer<typeof MinutesDocument>

/** What making a document costs now: parts that are read already are not paid for again. */
export const MinutesOffer = z.object({
  kind: MinutesKind,
  /** Requests to the model. */
  steps: z.int(),
  /** With texts of the usual length. */
  usual: z.int(),
  /** With the longest ones. */
  most: z.int(),
})
export type MinutesOffer = z.infer<typeof MinutesOffer>

export const Minutes = z.object({
  documents: z.array(MinutesDocument),
  /** Empty when the recording has no words. */
  offers: z.array(MinutesOffer),
  /** The model that the prices are for. */
  modelId: z.nullable(z.string()),
})
export type Minutes = z.infer<typeof Minutes>

const ModelId = z.optional(z.string().check(z.maxLength(200)))

export const minutesApi = {
  read: endpoint('GET', '/api/transcriptions/:id/minutes', {
    who: 'user',
    summary: 'Протокол, письмо и список задач по записи, и сколько стоит сделать каждый',
    query: z.object({ modelId: ModelId }),
    returns: Minutes,
  }),
  make: endpoint('POST', '/api/transcriptions/:id/minutes/:kind', {
    who: 'user',
    summary:
      'Сделать документ по записи, продолжить прерванный или сделать заново; списывается по частям, неудача бесплатна',
    body: z.strictObject({
      modelId: ModelId,
      /** The highest price that the caller has agreed to; a higher one is refused. */
      most: z.optional(z.int()),
      /** The text was edited and may be replaced. */
      overwrite: z.optional(z.literal(true)),
    }),
    returns: MinutesDocument,
  }),
  edit: endpoint('PATCH', '/api/transcriptions/:id/minutes/:kind', {
    who: 'user',
    summary: 'Исправить текст документа; бесплатно',
    body: z.strictObject({
      text: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_MINUTES)),
      /** The version that was edited: a text that has changed since is not overwritten. */
      version: z.int().check(z.minimum(0), z.maximum(2_147_483_647)),
    }),
    returns: MinutesDocument,
  }),
  stop: endpoint('POST', '/api/transcriptions/:id/minutes/:kind/stop', {
    who: 'user',
    consent: 'unneeded',
    summary: 'Остановить; прочитанные части остаются и второй раз не оплачиваются',
    returns: MinutesDocument,
  }),
  delete: endpoint('DELETE', '/api/transcriptions/:id/minutes/:kind', {
    who: 'user',
    summary: 'Удалить документ',
    returns: z.object({ kind: MinutesKind }),
  }),
  export: endpoint('GET', '/api/transcriptions/:id/minutes/:kind/export', {
    who: 'user',
    summary: 'Документ для Word',
    answers: 'file',
  }),
}
