import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { knownOr } from './known-or.ts'
import { PageQuery } from './paging.ts'

/** «symbol» is our own export. */
export const ChatSource = z.enum(['chatgpt', 'claude', 'deepseek', 'symbol'])
export type ChatSource = z.infer<typeof ChatSource>

export const sourceNames: Record<ChatSource, string> = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  deepseek: 'DeepSeek',
  symbol: 'Символ',
}

export const ImportStatus = z.enum(['uploading', 'queued', 'working', 'found', 'done', 'undone', 'failed'])
export type ImportStatus = z.infer<typeof ImportStatus>

/** What is queued, worked on or was done last. */
export const ImportStep = z.enum(['check', 'store', 'undo'])
export type ImportStep = z.infer<typeof ImportStep>

/** All files of one import together. */
export const MAX_IMPORT_BYTES = 2 * 1024 * 1024 * 1024
export const MAX_IMPORT_FILES = 20
/** Uploads, checks and imports of one user at one time. */
export const MAX_UNFINISHED_IMPORTS = 2

export const ImportFile = z.object({
  name: z.string(),
  bytes: z.int(),
  received: z.int(),
  chunkBytes: z.int(),
})
export type ImportFile = z.infer<typeof ImportFile>

/** What an archive contains, before anything is stored. */
export const ImportFound = z.object({
  sources: z.array(knownOr(ChatSource, 'symbol')),
  chats: z.int(),
  messages: z.int(),
  pictures: z.int(),
  projects: z.int(),
  /** Texts of the chats, in bytes. */
  bytes: z.int(),
  from: z.nullable(z.iso.datetime()),
  to: z.nullable(z.iso.datetime()),
  /** Chats that an earlier import has brought. */
  known: z.int(),
  knownProjects: z._default(z.int(), 0),
  /** Chats that cannot be read, are empty or too large. */
  skipped: z.int(),
  /** Named in chats and not in the archive. */
  missingPictures: z.int(),
  missingFiles: z.int(),
  sounds: z.int(),
  /** Archives inside of the archive, and entries with a password: they are not opened. */
  unopened: z.array(z.string()),
  /** Files that end before their JSON does, with the chats that were read until then. */
  cutOff: z._default(z.array(z.object({ name: z.string(), chats: z.int() })), []),
})
export type ImportFound = z.infer<typeof ImportFound>

export const ImportResult = z.object({
  added: z.int(),
  /** Chats of an earlier import that got new messages. */
  grown: z.int(),
  known: z.int(),
  messages: z.int(),
  pictures: z.int(),
  projects: z.int(),
  /** New files of projects that an earlier import has brought. */
  documents: z._default(z.int(), 0),
  skipped: z.int(),
  /** Chats that came without some of their pictures, files or sounds. */
  partial: z.int(),
  /** Removed, and left because their owner has written in them, by an undo. */
  removed: z.int(),
  kept: z.int(),
  keptProjects: z._default(z.int(), 0),
})
export type ImportResult = z.infer<typeof ImportResult>

export const ImportRow = z.object({
  id: z.string(),
  status: knownOr(ImportStatus, 'working'),
  step: knownOr(ImportStep, 'check'),
  files: z.array(ImportFile),
  /** In percent. */
  progress: z.int(),
  found: z.nullable(ImportFound),
  result: z.nullable(ImportResult),
  error: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
})
export type ImportRow = z.infer<typeof ImportRow>

/** Chats of the import that their owner has continued; an undo keeps them unless it is told otherwise. */
export const Import = z.extend(ImportRow, {
  continued: z.object({ count: z.int(), titles: z.array(z.string()) }),
})
export type Import = z.infer<typeof Import>

export const ItemOutcome = z.enum(['added', 'grown', 'skipped', 'project', 'document'])
export type ItemOutcome = z.infer<typeof ItemOutcome>

export const itemReasons = [
  'broken',
  'too-large',
  'empty',
  'too-many-messages',
  'no-room',
  'in-trash',
  'unopened',
  'cut-off',
] as const

export const ImportItem = z.object({
  id: z.string(),
  title: z.string(),
  outcome: knownOr(ItemOutcome, 'skipped'),
  reason: z.nullable(knownOr(z.enum(itemReasons), 'broken')),
  threadId: z.nullable(z.string()),
  messages: z.int(),
  /** Not in the archive, or without room here. */
  lostPictures: z.int(),
  lostFiles: z.int(),
  lostSounds: z.int(),
})
export type ImportItem = z.infer<typeof ImportItem>

const Id = z.string().check(z.regex(/^[\w-]{16,64}$/, { error: 'Нужен номер из 16–64 букв, цифр и дефисов' }))
const FileDraft = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
  bytes: z
    .int()
    .check(z.minimum(1, { error: 'Файл пустой' }), z.maximum(MAX_IMPORT_BYTES, { error: 'Файл больше 2 ГБ' })),
})

export const ImportDraft = z.strictObject({
  /** Chosen by the caller: a repeated request with the same id has no effect. */
  id: z.optional(Id),
  files: z
    .array(FileDraft)
    .check(
      z.minLength(1),
      z.maxLength(MAX_IMPORT_FILES, { error: `За один раз не больше ${MAX_IMPORT_FILES} файлов` }),
    ),
})
export type ImportDraft = z.infer<typeof ImportDraft>

export const importsApi = {
  list: endpoint('GET', '/api/imports', {
    who: 'user',
    summary: 'Переносы чатов из других сервисов, новые сверху',
    returns: z.array(ImportRow),
  }),
  begin: endpoint('POST', '/api/imports', {
    who: 'user',
    summary: 'Начать перенос: назвать файлы архива, затем загрузить их по частям; вместе до 2 ГБ',
    body: ImportDraft,
    returns: ImportRow,
  }),
  put: endpoint('PUT', '/api/imports/:id/files/:number', {
    who: 'user',
    summary:
      'Следующая часть файла: тело запроса — байты от offset, столько, сколько названо в chunkBytes, или до конца',
    query: z.object({ offset: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(MAX_IMPORT_BYTES)) }),
    takes: 'bytes',
    returns: ImportFile,
  }),
  finish: endpoint('POST', '/api/imports/:id/finish', {
    who: 'user',
    summary: 'Всё пришло: посмотреть, что в архиве. Чаты ещё не переносятся',
    returns: ImportRow,
  }),
  get: endpoint('GET', '/api/imports/:id', {
    who: 'user',
    summary: 'Перенос: что найдено, сколько сделано, какие чаты вы продолжили',
    returns: Import,
  }),
  start: endpoint('POST', '/api/imports/:id/start', {
    who: 'user',
    summary: 'Перенести найденное; бесплатно',
    returns: ImportRow,
  }),
  items: endpoint('GET', '/api/imports/:id/items', {
    who: 'user',
    summary: 'Отчёт: чаты, которые не перенеслись или перенеслись не целиком, с причиной; с all=1 все',
    query: z.extend(PageQuery, { all: z.optional(z.literal('1')) }),
    returns: z.array(ImportItem),
  }),
  undo: endpoint('POST', '/api/imports/:id/undo', {
    who: 'user',
    summary: 'Отменить перенос: удалить то, что пришло. Чаты, в которых вы писали, остаются, пока не указано continued',
    body: z.strictObject({ continued: z.optional(z.boolean()) }),
    returns: ImportRow,
  }),
  delete: endpoint('DELETE', '/api/imports/:id', {
    who: 'user',
    summary: 'Убрать архив и запись о переносе, который ничего не принёс или отменён',
    returns: z.object({ id: z.string() }),
  }),
}
