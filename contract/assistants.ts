import * as z from 'zod/mini'
import { SingleSubscription } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { ErrorBody } from './errors.ts'
import { Attachment } from './files.ts'
import { Citation, InputParts, MAX_MESSAGE, ThreadAssistant } from './threads.ts'
import { Picture } from './users.ts'

export const MAX_ASSISTANTS = 50
export const MAX_ASSISTANT_FILES = 20
/** All files of one person's assistants together. */
export const MAX_ASSISTANT_BYTES = 500 * 1024 * 1024
export const MAX_ASSISTANT_NAME = 80
export const MAX_DESCRIPTION = 300
export const MAX_INSTRUCTIONS = 20_000
export const MAX_STARTERS = 6
export const MAX_STARTER = 200
/** What files may add to one question, in symbols. */
export const PASSAGE_SYMBOLS = 12_000

/** A file is what every file is; its state goes uploaded → reading → indexing → ready or failed. */
export const AssistantFile = Attachment
export type AssistantFile = z.infer<typeof AssistantFile>

/** `Model` is null when its model is gone or hidden: its chats go on with the usual one. */
export const Assistant = z.extend(ThreadAssistant, {
  description: z.string(),
  instructions: z.string(),
  modelId: z.nullable(z.string()),
  Model: z.nullable(z.object({ id: z.string(), name: z.string() })),
  files: z.array(AssistantFile),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Assistant = z.infer<typeof Assistant>

/** One sign as people see it, though it may be made of several: a face, a tone of skin, a joiner, a profession. */
const EMOJI =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator})(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\p{M}|\u200D)*$/u
const Emoji = z.string().check(z.maxLength(40), z.regex(EMOJI, { error: 'Нужен значок эмодзи или картинка' }))
export const Avatar = z.union([Emoji, Picture], { error: 'Нужен значок эмодзи или картинка PNG, JPEG, WebP' })
export const DEFAULT_AVATAR = '🤖'

const Name = z
  .string()
  .check(z.trim(), z.minLength(1, { error: 'Назовите ассистента' }), z.maxLength(MAX_ASSISTANT_NAME))
const Starter = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_STARTER))
const fields = {
  description: z.string().check(z.trim(), z.maxLength(MAX_DESCRIPTION)),
  instructions: z.string().check(z.maxLength(MAX_INSTRUCTIONS)),
  avatar: Avatar,
  /** Null: the model of the owner's settings. */
  modelId: z.nullable(z.string()),
  starters: z.array(Starter).check(z.maxLength(MAX_STARTERS)),
}
export const AssistantDraft = z.strictObject({
  name: Name,
  description: z._default(fields.description, ''),
  instructions: z._default(fields.instructions, ''),
  avatar: z._default(fields.avatar, DEFAULT_AVATAR),
  modelId: z._default(fields.modelId, null),
  starters: z._default(fields.starters, []),
})
export type AssistantDraft = z.infer<typeof AssistantDraft>
export const AssistantChange = z.partial(z.strictObject({ name: Name, ...fields }))
export type AssistantChange = z.infer<typeof AssistantChange>

/** A passage of a file as a citation opens it: what was shown to the model, and what stands around it. */
export const ShownPassage = z.object({
  passageId: z.string(),
  fileId: z.string(),
  fileName: z.string(),
  place: z.nullable(z.string()),
  section: z.nullable(z.string()),
  before: z.nullable(z.string()),
  text: z.string(),
  after: z.nullable(z.string()),
})
export type ShownPassage = z.infer<typeof ShownPassage>

/** A try-out keeps nothing: what was said before comes along, and the instructions are those of the moment. */
export const TryOut = z.strictObject({
  /** Whose files are searched; null for an assistant that is not saved yet. */
  assistantId: z.nullable(z.string()),
  instructions: fields.instructions,
  modelId: z.nullable(z.string()),
  messages: z
    .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string().check(z.maxLength(MAX_MESSAGE)) }))
    .check(z.minLength(1), z.maxLength(20)),
})
export type TryOut = z.infer<typeof TryOut>

export const Tried = z.object({
  text: z.string(),
  charged: z.int(),
  parts: InputParts,
  citations: z.array(Citation),
  SingleSubscription,
})
export type Tried = z.infer<typeof Tried>

export const TryEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('delta'), offset: z.int(), text: z.string() }),
  z.extend(Tried, { type: z.literal('done') }),
  z.extend(ErrorBody, { type: z.literal('error') }),
])
export type TryEvent = z.infer<typeof TryEvent>

/** Symbols of files that are made searchable by meaning free of charge in a month; beyond that a symbol costs `rate`. */
export const EmbeddingAllowance = z.object({ free: z.int(), left: z.int(), rate: z.number() })
export type EmbeddingAllowance = z.infer<typeof EmbeddingAllowance>

export const assistantsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/assistants',
    who: 'user',
    summary: 'Все свои ассистенты, новые сначала',
    returns: z.array(Assistant),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/assistants',
    who: 'user',
    summary: 'Создать ассистента; файлы добавляются отдельно',
    body: AssistantDraft,
    returns: Assistant,
  }),
  /** Answers `text/event-stream` with delta, done and error, or once with JSON if that alone is accepted. */
  tryOut: endpoint({
    method: 'POST',
    path: '/api/assistants/try',
    who: 'user',
    summary: 'Попробовать инструкции до сохранения: ответ ничего не сохраняет и оплачивается как обычный',
    body: TryOut,
    returns: Tried,
  }),
  allowance: endpoint({
    method: 'GET',
    path: '/api/assistants/allowance',
    who: 'user',
    summary:
      'Сколько символов файлов ещё прочитается бесплатно в этом месяце; null, если файлы ищутся только по словам',
    returns: z.object({ allowance: z.nullable(EmbeddingAllowance) }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/assistants/:id',
    who: 'user',
    summary: 'Ассистент и его файлы',
    returns: Assistant,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/assistants/:id',
    who: 'user',
    summary: 'Изменить ассистента: только названные поля',
    body: AssistantChange,
    returns: Assistant,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/assistants/:id',
    who: 'user',
    summary: 'Удалить ассистента с файлами; беседы с ним остаются',
    returns: z.object({ id: z.string() }),
  }),
  /** The body is multipart with the field `file`, outside of JSON. */
  addFile: endpoint({
    method: 'POST',
    path: '/api/assistants/:id/files',
    who: 'user',
    summary:
      'Добавить документ: multipart, поле file, до 20 МБ; до 20 файлов у ассистента. paid=1 заранее соглашается на цену, если бесплатный объём месяца закончился',
    query: z.object({ paid: z.optional(z.literal('1')) }),
    returns: AssistantFile,
  }),
  removeFile: endpoint({
    method: 'DELETE',
    path: '/api/assistants/:id/files/:fileId',
    who: 'user',
    summary: 'Убрать файл ассистента',
    returns: z.object({ id: z.string() }),
  }),
  retryFile: endpoint({
    method: 'POST',
    path: '/api/assistants/:id/files/:fileId/retry',
    who: 'user',
    summary: 'Прочитать заново файл, который не удалось прочитать',
    returns: AssistantFile,
  }),
  payFile: endpoint({
    method: 'POST',
    path: '/api/assistants/:id/files/:fileId/pay',
    who: 'user',
    summary: 'Согласиться на цену файла, названную в поле price: он станет находиться и по смыслу',
    returns: AssistantFile,
  }),
  passage: endpoint({
    method: 'GET',
    path: '/api/excerpts/:chunkId',
    who: 'user',
    summary: 'Место файла, на которое ссылается ответ, с соседними',
    returns: ShownPassage,
  }),
}
