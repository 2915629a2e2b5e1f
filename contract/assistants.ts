import * as z from 'zod/mini'
import { SingleSubscription } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { ErrorBody } from './errors.ts'
import { Attachment } from './files.ts'
import { Country } from './models.ts'
import { Citation, InputParts, MAX_MESSAGE, ThreadAssistant } from './threads.ts'
import { ImageDataUrl } from './users.ts'

export const MAX_ASSISTANTS = 50
/** Of an assistant or a project. */
export const MAX_LIBRARY_FILES = 20
/** All files of one user's assistants and projects together. */
export const MAX_LIBRARY_BYTES = 500 * 1024 * 1024
export const MAX_ASSISTANT_NAME = 80
export const MAX_DESCRIPTION = 300
export const MAX_INSTRUCTIONS = 20_000
export const MAX_STARTERS = 6
export const MAX_STARTER = 200
/** The most that passages of files add to one question, in symbols. */
export const PASSAGE_SYMBOLS = 12_000
/** Files of at most so many symbols together are sent whole; larger ones are searched. */
export const WHOLE_SYMBOLS = 9960
/** The most that search words add to one question: the request to the model and the words it writes. */
export const SEARCH_WORDS_SYMBOLS = 1500

/** The state goes uploaded → reading → indexing → ready or failed. */
export const AssistantFile = Attachment
export type AssistantFile = z.infer<typeof AssistantFile>

/** `Model` is null when the model was deleted or hidden: threads then use the default one. */
export const Assistant = z.extend(ThreadAssistant, {
  description: z.string(),
  instructions: z.string(),
  modelId: z.nullable(z.string()),
  Model: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** The model of the chat writes search words before large files are searched. */
  searchWords: z._default(z.boolean(), true),
  files: z.array(AssistantFile),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Assistant = z.infer<typeof Assistant>

/** One visible emoji. It may consist of several code points: a face, a skin tone, a joiner, a profession. */
const EMOJI =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator})(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\p{M}|\u200D)*$/u
export const Emoji = z.string().check(z.maxLength(40), z.regex(EMOJI, { error: 'Нужен значок эмодзи или картинка' }))
export const Avatar = z.union([Emoji, ImageDataUrl], { error: 'Нужен значок эмодзи или картинка PNG, JPEG, WebP' })
export const DEFAULT_AVATAR = '🤖'

const Name = z
  .string()
  .check(z.trim(), z.minLength(1, { error: 'Назовите ассистента' }), z.maxLength(MAX_ASSISTANT_NAME))
const Starter = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_STARTER))
/** What assistants and projects have in common. */
export const libraryFields = {
  instructions: z.string().check(z.maxLength(MAX_INSTRUCTIONS)),
  /** Null for the model in the owner's settings. */
  modelId: z.nullable(z.string()),
  /** Only models whose data stays in this country may answer; null for all models. */
  country: z.nullable(Country),
  searchWords: z.boolean(),
}
const fields = {
  ...libraryFields,
  description: z.string().check(z.trim(), z.maxLength(MAX_DESCRIPTION)),
  avatar: Avatar,
  starters: z.array(Starter).check(z.maxLength(MAX_STARTERS)),
}
export const AssistantDraft = z.strictObject({
  name: Name,
  description: z._default(fields.description, ''),
  instructions: z._default(fields.instructions, ''),
  avatar: z._default(fields.avatar, DEFAULT_AVATAR),
  modelId: z._default(fields.modelId, null),
  starters: z._default(fields.starters, []),
  country: z._default(fields.country, null),
  searchWords: z._default(fields.searchWords, true),
})
export type AssistantDraft = z.infer<typeof AssistantDraft>
export const AssistantChange = z.partial(z.strictObject({ name: Name, ...fields }))
export type AssistantChange = z.infer<typeof AssistantChange>

/** The passage behind a citation: the text that the model got, and the text around it. */
export const ShownPassage = z.object({
  passageId: z.string(),
  fileId: z.string(),
  fileName: z.string(),
  place: z.nullable(z.string()),
  section: z.nullable(z.string()),
  before: z.nullable(z.string()),
  text: z.string(),
  after: z.nullable(z.string()),
  /** Pages of a scan that it was read from; their pictures are shown beside the text. */
  picturePages: z._default(z.array(z.int()), []),
})
export type ShownPassage = z.infer<typeof ShownPassage>

/** A try-out is not stored: the request has the earlier messages and the unsaved instructions. */
export const TryOut = z.strictObject({
  /** Whose files are searched; null for an assistant that is not saved yet. */
  assistantId: z.nullable(z.string()),
  instructions: fields.instructions,
  modelId: z.nullable(z.string()),
  country: z.optional(fields.country),
  messages: z
    .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string().check(z.maxLength(MAX_MESSAGE)) }))
    .check(z.minLength(1), z.maxLength(20)),
})
export type TryOut = z.infer<typeof TryOut>

export const TryOutResult = z.object({
  text: z.string(),
  charged: z.int(),
  parts: InputParts,
  citations: z.array(Citation),
  SingleSubscription,
})
export type TryOutResult = z.infer<typeof TryOutResult>

export const TryEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('delta'), offset: z.int(), text: z.string() }),
  z.extend(TryOutResult, { type: z.literal('done') }),
  z.extend(ErrorBody, { type: z.literal('error') }),
])
export type TryEvent = z.infer<typeof TryEvent>

/** Symbols of files that are embedded free of charge in a month; further ones cost `rate` each. */
export const EmbeddingAllowance = z.object({ free: z.int(), left: z.int(), rate: z.number() })
export type EmbeddingAllowance = z.infer<typeof EmbeddingAllowance>

export const assistantsApi = {
  list: endpoint('GET', '/api/assistants', {
    who: 'user',
    summary: 'Все свои ассистенты, новые сначала',
    returns: z.array(Assistant),
  }),
  create: endpoint('POST', '/api/assistants', {
    who: 'user',
    summary: 'Создать ассистента; файлы добавляются отдельно',
    body: AssistantDraft,
    returns: Assistant,
  }),
  /** Answers with `text/event-stream` (delta, done, error), or with JSON at the end if only that is accepted. */
  tryOut: endpoint('POST', '/api/assistants/try', {
    who: 'user',
    summary: 'Попробовать инструкции до сохранения: ответ ничего не сохраняет и оплачивается как обычный',
    body: TryOut,
    answers: 'stream',
    returns: TryOutResult,
  }),
  allowance: endpoint('GET', '/api/assistants/allowance', {
    who: 'user',
    summary:
      'Сколько символов файлов ещё прочитается бесплатно в этом месяце; null, если файлы ищутся только по словам',
    returns: z.object({ allowance: z.nullable(EmbeddingAllowance) }),
  }),
  get: endpoint('GET', '/api/assistants/:id', {
    who: 'user',
    summary: 'Ассистент и его файлы',
    returns: Assistant,
  }),
  update: endpoint('PATCH', '/api/assistants/:id', {
    who: 'user',
    summary: 'Изменить ассистента: только названные поля',
    body: AssistantChange,
    returns: Assistant,
  }),
  delete: endpoint('DELETE', '/api/assistants/:id', {
    who: 'user',
    summary: 'Удалить ассистента с файлами; чаты с ним остаются',
    returns: z.object({ id: z.string() }),
  }),
  /** The body is multipart with the field `file`. */
  addFile: endpoint('POST', '/api/assistants/:id/files', {
    who: 'user',
    summary:
      'Добавить документ: multipart, поле file, до 20 МБ; до 20 файлов у ассистента. paid=1 заранее соглашается на цену, если бесплатный объём месяца закончился',
    query: z.object({ paid: z.optional(z.literal('1')) }),
    takes: 'form',
    returns: AssistantFile,
  }),
  removeFile: endpoint('DELETE', '/api/assistants/:id/files/:fileId', {
    who: 'user',
    summary: 'Убрать файл ассистента',
    returns: z.object({ id: z.string() }),
  }),
  retryFile: endpoint('POST', '/api/assistants/:id/files/:fileId/retry', {
    who: 'user',
    summary: 'Прочитать заново файл, который не удалось прочитать',
    returns: AssistantFile,
  }),
  payFile: endpoint('POST', '/api/assistants/:id/files/:fileId/pay', {
    who: 'user',
    summary: 'Согласиться на цену файла, названную в поле price: он станет находиться и по смыслу',
    returns: AssistantFile,
  }),
  passage: endpoint('GET', '/api/passages/:passageId', {
    who: 'user',
    summary: 'Место файла, на которое ссылается ответ, с соседними',
    returns: ShownPassage,
  }),
}
