import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Attachment } from './files.ts'
import { knownOr } from './known-or.ts'
import { PageQuery } from './paging.ts'
import { Rating } from './ratings.ts'
import { Summary } from './summaries.ts'
import { WebSource, WebUse } from './web-search.ts'

export const NEW_THREAD_TITLE = 'Новый чат'
/** Also the note of a temporary thread's ledger entries. */
export const TEMPORARY_TITLE = 'Временный чат'
/** How long a temporary thread lives at most after its last message. */
export const TEMPORARY_HOURS = 24
export const MAX_TITLE = 200
export const MAX_MESSAGE = 100_000
/** How many messages of the current branch come with a thread; older ones are read in pages. */
export const BRANCH_PAGE = 100
export const TRASH_DAYS = 30

export const MessageStatus = z.enum(['streaming', 'complete', 'stopped', 'interrupted', 'failed', 'out_of_symbols'])
export type MessageStatus = z.infer<typeof MessageStatus>

/** The parts of an answer's input, in symbols. */
export const InputParts = z.object({
  question: z.int(),
  history: z.int(),
  historyMessages: z.int(),
  /** Earlier messages that did not fit into the context of the model. */
  cutMessages: z.int(),
  instructions: z.int(),
  files: z.int(),
  /** Passages of the assistant's files. */
  passages: z.int(),
  /** Instructions of the project and passages of its files; absent without any. */
  project: z.optional(z.int()),
  projectPassages: z.optional(z.int()),
  /** The person's own instructions. */
  personal: z.int(),
  /** Passages of pages of the web; absent without any. */
  web: z.optional(z.int()),
  summary: z.optional(z.int()),
  /** Search words for the assistant's files: the request to the model and its reply; absent when not paid for. */
  searchWords: z.optional(z.int()),
})
export type InputParts = z.infer<typeof InputParts>

/** The billed input of an answer: the sum of its parts. */
export function inputOf(parts: InputParts): number {
  const { question, history, instructions, files, passages = 0, personal = 0, web = 0, summary = 0 } = parts
  const { project = 0, projectPassages = 0, searchWords = 0 } = parts
  const ofFiles = files + passages + projectPassages
  return question + history + instructions + project + ofFiles + personal + web + summary + searchWords
}

/** A passage in the prompt of an answer; the answer cites it as «[n]». */
export const Citation = z.object({
  n: z.int(),
  passageId: z.string(),
  fileId: z.string(),
  fileName: z.string(),
  /** «стр. 4» or «лист «Цены»»; null for files without pages and sheets. */
  place: z.nullable(z.string()),
  /** Set when it is a page of the web; it has no file then, and its title and site stand in the fields above. */
  web: z.optional(WebSource),
})
export type Citation = z.infer<typeof Citation>

/** The cost of an answer that was stopped before its first word, after the request to the model. */
export const EarlyStop = z.object({
  charged: z.int(),
  /** The number of the free stop of the day; null when it was charged. */
  free: z.nullable(z.int()),
})
export type EarlyStop = z.infer<typeof EarlyStop>

export const Thought = z.object({
  /** Empty when the provider does not show it. */
  text: z.string(),
  /** The symbols it counts as, shown or not; 0 until the answer has ended. */
  symbols: z.int(),
  ms: z.nullable(z.int()),
})
export type Thought = z.infer<typeof Thought>

/** How many values of each kind were masked for the model. The values themselves are stored nowhere. */
export const MaskedCounts = z.partial(
  z.object({
    phone: z.int(),
    email: z.int(),
    card: z.int(),
    passport: z.int(),
    snils: z.int(),
    inn: z.int(),
    ogrn: z.int(),
    account: z.int(),
    name: z.int(),
  }),
)
export type MaskedCounts = z.infer<typeof MaskedCounts>

/** Where a message came from. */
export const ImportedFrom = z.object({
  import: z.string(),
  /** The name of the service. */
  service: z.string(),
  /** As the service names it; null for a question and where it is unknown. */
  model: z.nullable(z.string()),
})
export type ImportedFrom = z.infer<typeof ImportedFrom>

export const Message = z.object({
  id: z.string(),
  threadId: z.string(),
  parentId: z.nullable(z.string()),
  role: knownOr(z.enum(['user', 'assistant']), 'assistant'),
  content: z.string(),
  status: knownOr(MessageStatus, 'complete'),
  /** Null for messages of users. */
  modelId: z.nullable(z.string()),
  input: z.int(),
  output: z.int(),
  charged: z.int(),
  parts: z.nullable(InputParts),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  files: z.array(Attachment),
  /** The image that a question asks to change; it may be deleted by now. */
  imageId: z.optional(z.nullable(z.string())),
  /** The passages of the assistant's files in the prompt. */
  citations: z._default(z.array(Citation), []),
  /** The part of the input that the provider had cached, in symbols. */
  cached: z.optional(z.int()),
  /** Null or absent when it was not asked for. */
  web: z.optional(z.nullable(WebUse)),
  thought: z.optional(z.nullable(Thought)),
  earlyStop: z.optional(z.nullable(EarlyStop)),
  masked: z.optional(z.nullable(MaskedCounts)),
  rating: z.optional(knownOr(z.nullable(Rating), null)),
  imported: z.optional(z.nullable(ImportedFrom)),
  /** All versions at this position of the tree, oldest first, this one included. */
  siblings: z.array(z.string()),
  createdAt: z.iso.datetime(),
})
export type Message = z.infer<typeof Message>

export const Thread = z.object({
  id: z.string(),
  title: z.string(),
  assistantId: z.nullable(z.string()),
  projectId: z._default(z.nullable(z.string()), null),
  User: z.object({ id: z.string() }),
  Model: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** The model that its provider has switched off, until the owner of the thread has seen that. */
  movedFrom: z._default(z.nullable(z.string()), null),
  /** The last message of the current branch, the same on all devices. */
  currentLeafId: z.nullable(z.string()),
  /** Grows with every change; used to detect conflicting changes. */
  version: z.int(),
  pinned: z.boolean(),
  archived: z.boolean(),
  /** Not listed, not searched, not shared, and deleted a day after its last message. */
  temporary: z._default(z.boolean(), false),
  deletedAt: z.nullable(z.iso.datetime()),
  shareId: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Thread = z.infer<typeof Thread>

/** The symbols that an assistant or a project adds to each question: instructions, and at most so many of its files. */
export const LibrarySymbols = z.object({
  instructions: z.int(),
  passages: z.int(),
  /** For the search words; 0 when none are written. */
  searchWords: z._default(z.int(), 0),
})
export type LibrarySymbols = z.infer<typeof LibrarySymbols>

export const ThreadAssistant = z.object({
  id: z.string(),
  name: z.string(),
  /** An emoji, or a small image as a data URL. */
  avatar: z.string(),
  starters: z.array(z.string()),
  symbols: LibrarySymbols,
  /** Only models whose data stays in this country answer; null for all models. */
  country: z.optional(z.nullable(z.string())),
})
export type ThreadAssistant = z.infer<typeof ThreadAssistant>

export const ThreadProject = z.object({
  id: z.string(),
  name: z.string(),
  /** An emoji or the name of a colour. */
  icon: z.string(),
  symbols: LibrarySymbols,
  /** Its instructions are sent instead of the person's own ones. */
  replacesPersonal: z.boolean(),
  country: z.nullable(z.string()),
})
export type ThreadProject = z.infer<typeof ThreadProject>

/** The name `Messages` is in the specification. `Assistant` is null without one, and when it was deleted. */
export const ThreadWithMessages = z.extend(Thread, {
  Assistant: z._default(z.nullable(ThreadAssistant), null),
  Project: z._default(z.nullable(ThreadProject), null),
  Messages: z.array(Message),
  /** Summaries of the beginning of the current branch, the nearest to its end first. */
  Summaries: z._default(z.array(Summary), []),
})
export type ThreadWithMessages = z.infer<typeof ThreadWithMessages>

/** Parts of the text in order; matches are marked. */
export const SearchMatch = z.object({
  messageId: z.nullable(z.string()),
  fragment: z.array(z.object({ text: z.string(), hit: z.boolean() })),
})
export type SearchMatch = z.infer<typeof SearchMatch>
export const ThreadRow = z.extend(Thread, {
  found: z.optional(SearchMatch),
  /** The beginning of the first question, where another row of the answer has the same title. */
  firstWords: z.optional(z.string()),
})
export type ThreadRow = z.infer<typeof ThreadRow>

export const Id = z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'Нужен номер из 8–64 букв, цифр и дефисов' }))
const Title = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_TITLE))
const Connect = z.object({ connect: z.object({ id: z.string() }) })

export const ThreadDraft = z.strictObject({
  /** Chosen by the caller: a repeated request with the same id has no effect. */
  id: z.optional(Id),
  title: z.optional(Title),
  assistantId: z.optional(z.nullable(z.string())),
  projectId: z.optional(z.nullable(z.string())),
  User: z.optional(Connect),
  Model: z.optional(Connect),
  temporary: z.optional(z.boolean()),
})
export type ThreadDraft = z.infer<typeof ThreadDraft>

export const ThreadChange = z.strictObject({
  title: z.optional(Title),
  assistantId: z.optional(z.nullable(z.string())),
  /** Null takes it out of its project. */
  projectId: z.optional(z.nullable(z.string())),
  Model: z.optional(Connect),
  /** Null: the change of the model has been seen. */
  movedFrom: z.optional(z.null()),
  pinned: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
  /** False makes a temporary thread an ordinary one. */
  temporary: z.optional(z.literal(false)),
  /** False restores it from the trash. */
  deleted: z.optional(z.literal(false)),
  /** Switches to another version: the current branch follows it to its newest leaf. */
  currentLeafId: z.optional(Id),
  /** The version that the change is based on; if it is not the current one, the response is 409. */
  version: z.optional(z.int()),
})
export type ThreadChange = z.infer<typeof ThreadChange>

export const ThreadFilter = z.extend(PageQuery, {
  /** Searches titles and texts by Russian word forms. */
  query: z.optional(z.string().check(z.maxLength(200))),
  view: z._default(z.enum(['active', 'archived', 'trash']), 'active'),
  /** Only chats of this project. */
  project: z.optional(z.string()),
})
export type ThreadFilter = z.infer<typeof ThreadFilter>

export const SharedThread = z.object({
  title: z.string(),
  sharedAt: z.iso.datetime(),
  /** True when the beginning is omitted because the thread is too long. */
  cut: z.boolean(),
  Messages: z.array(z.pick(Message, { id: true, role: true, content: true, createdAt: true })),
})
export type SharedThread = z.infer<typeof SharedThread>

export const exportFormats = ['md', 'json', 'docx'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const threadsApi = {
  list: endpoint('GET', '/api/threads', {
    who: 'user',
    summary: 'Чаты: закреплённые, затем новые; с query поиск по названиям и текстам',
    query: ThreadFilter,
    returns: z.array(ThreadRow),
  }),
  create: endpoint('POST', '/api/threads', {
    who: 'user',
    summary: 'Начать чат',
    body: ThreadDraft,
    returns: ThreadWithMessages,
  }),
  get: endpoint('GET', '/api/threads/:id', {
    who: 'user',
    summary: 'Чат с последними сообщениями текущей ветки; более ранние по X-Next-Cursor',
    query: z.object({ cursor: z.optional(z.string()) }),
    returns: ThreadWithMessages,
  }),
  update: endpoint('PATCH', '/api/threads/:id', {
    who: 'user',
    summary:
      'Переименовать, закрепить, убрать в архив, вернуть из корзины, переместить в проект, сменить модель или показанную ветку',
    body: ThreadChange,
    returns: Thread,
  }),
  delete: endpoint('DELETE', '/api/threads/:id', {
    who: 'user',
    summary:
      'Убрать в корзину на 30 дней; forever=1 удаляет навсегда то, что в корзине, и чат без сообщений. Временный чат удаляется сразу',
    query: z.object({ forever: z.optional(z.literal('1')) }),
    returns: Thread,
  }),
  find: endpoint('GET', '/api/threads/:id/find', {
    who: 'user',
    summary: 'Номера сообщений показанной ветки, в которых есть эти слова подряд, от старых к новым',
    query: z.object({ query: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)) }),
    returns: z.array(z.string()),
  }),
  rename: endpoint('PATCH', '/api/threads/:id/title', {
    who: 'user',
    summary: 'Придумать название по чату; отвечает новым названием. Своё название не меняется. Бесплатно',
    returns: z.string(),
  }),
  fork: endpoint('POST', '/api/threads/:id/fork', {
    who: 'user',
    summary: 'Новый чат с копией этого до выбранного сообщения',
    body: z.strictObject({ messageId: z.string() }),
    returns: Thread,
  }),
  editMessage: endpoint('PATCH', '/api/threads/:id/message/:messageId', {
    who: 'user',
    summary: 'Исправить текст сообщения на месте',
    body: z.strictObject({ content: z.string().check(z.minLength(1), z.maxLength(MAX_MESSAGE)) }),
    returns: Message,
  }),
  deleteMessage: endpoint('DELETE', '/api/threads/:id/message/:messageId', {
    who: 'user',
    summary: 'Удалить сообщение и всё, что за ним следует; отвечает, что удалено',
    returns: z.object({ deleted: z.array(z.string()), Thread }),
  }),
  share: endpoint('POST', '/api/threads/:id/share', {
    who: 'user',
    summary: 'Открыть чтение по ссылке: показанная ветка на этот миг',
    returns: Thread,
  }),
  unshare: endpoint('DELETE', '/api/threads/:id/share', {
    who: 'user',
    summary: 'Закрыть чтение по ссылке',
    returns: Thread,
  }),
  shared: endpoint('GET', '/api/shared/:shareId', {
    who: 'anyone',
    summary: 'Чат по ссылке',
    returns: SharedThread,
  }),
  export: endpoint('GET', '/api/threads/:id/export', {
    who: 'user',
    summary: 'Чат файлом; thoughts=1 добавляет размышления моделей',
    query: z.object({
      format: z.enum(exportFormats, { error: 'Бывает md, json и docx' }),
      thoughts: z.optional(z.literal('1')),
    }),
    answers: 'file',
  }),
}

export type ThreadAnswerFields = Pick<Thread, 'version' | 'updatedAt' | 'currentLeafId' | 'Model'>

/**
 * Events of the topic `thread:{id}`. The topic `threads` has `changed` and `removed` with `{id}`; `changed` also has
 * `change`, of the type ThreadAnswerFields, when nothing else has changed.
 */
export type ThreadEvent =
  /** The thread or its tree changed: load it again. */
  | { type: 'changed'; data: { version: number } }
  /** An answer is being written: attach to its stream. */
  | { type: 'answering'; data: { messageId: string } }
  | { type: 'finished'; data: { messageId: string } }
