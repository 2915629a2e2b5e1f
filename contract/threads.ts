import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Attachment, MAX_MESSAGE_FILES } from './files.ts'
import { idList } from './id-list.ts'
import { PageQuery } from './paging.ts'

export const NEW_THREAD_TITLE = 'Новый чат'
export const MAX_TITLE = 200
export const MAX_MESSAGE = 100_000
/** Messages of the current branch that come with a thread; older ones follow page by page. */
export const BRANCH_PAGE = 100
/** Days a deleted thread waits in the trash. */
export const TRASH_DAYS = 30

export const MessageStatus = z.enum(['streaming', 'complete', 'stopped', 'interrupted', 'failed', 'out_of_symbols'])
export type MessageStatus = z.infer<typeof MessageStatus>

/** What the input of an answer consisted of, in symbols. */
export const InputParts = z.object({
  question: z.int(),
  history: z.int(),
  /** How many earlier messages were sent along. */
  historyMessages: z.int(),
  /** Earlier messages that were left out because the model's window is too small for them. */
  cutMessages: z.int(),
  instructions: z.int(),
  files: z.int(),
  /** What was found in the assistant's files; answers of earlier days have none. */
  excerpts: z._default(z.int(), 0),
})
export type InputParts = z.infer<typeof InputParts>

/** A passage that an answer was given; the answer names it as «[n]». */
export const Citation = z.object({
  n: z.int(),
  passageId: z.string(),
  fileId: z.string(),
  fileName: z.string(),
  /** «стр. 4», «лист «Цены»»; null where a file has neither. */
  place: z.nullable(z.string()),
})
export type Citation = z.infer<typeof Citation>

/** An answer that was stopped before its first word, after the model had been asked: what that cost. */
export const EarlyStop = z.object({
  charged: z.int(),
  /** Which of the day's free stops it was; null when it was paid. */
  free: z.nullable(z.int()),
})
export type EarlyStop = z.infer<typeof EarlyStop>

export const Message = z.object({
  id: z.string(),
  threadId: z.string(),
  parentId: z.nullable(z.string()),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  status: MessageStatus,
  /** Who answered; null for a person's own messages. */
  modelId: z.nullable(z.string()),
  input: z.int(),
  output: z.int(),
  charged: z.int(),
  parts: z.nullable(InputParts),
  /** Why it failed. */
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  files: z.array(Attachment),
  /** What of an assistant's files an answer was given. */
  citations: z._default(z.array(Citation), []),
  earlyStop: z.optional(z.nullable(EarlyStop)),
  /** All versions in this place of the tree, oldest first, this one among them. */
  siblings: z.array(z.string()),
  createdAt: z.iso.datetime(),
})
export type Message = z.infer<typeof Message>

export const Thread = z.object({
  id: z.string(),
  title: z.string(),
  assistantId: z.nullable(z.string()),
  User: z.object({ id: z.string() }),
  Model: z.nullable(z.object({ id: z.string(), name: z.string() })),
  /** The last message of the branch that every device shows. */
  currentLeafId: z.nullable(z.string()),
  /** Grows with every change: who changes what he saw long ago is told so. */
  version: z.int(),
  pinned: z.boolean(),
  archived: z.boolean(),
  deletedAt: z.nullable(z.iso.datetime()),
  /** The last part of the address under which strangers may read it; null while nobody may. */
  shareId: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type Thread = z.infer<typeof Thread>

/** What a thread shows of its assistant. */
export const ThreadAssistant = z.object({
  id: z.string(),
  name: z.string(),
  /** An emoji, or a small picture as a data address. */
  avatar: z.string(),
  starters: z.array(z.string()),
  /** What it adds to each question: its instructions, and at most so much of its files. */
  symbols: z.object({ instructions: z.int(), excerpts: z.int() }),
})
export type ThreadAssistant = z.infer<typeof ThreadAssistant>

/** The name of the list of messages is the specification's. `Assistant` is null without one, and when it was deleted. */
export const ThreadWithMessages = z.extend(Thread, {
  Assistant: z._default(z.nullable(ThreadAssistant), null),
  Messages: z.array(Message),
})
export type ThreadWithMessages = z.infer<typeof ThreadWithMessages>

/** Where a search found its words: pieces of the text in order, the found ones marked. */
export const Found = z.object({
  messageId: z.nullable(z.string()),
  pieces: z.array(z.object({ text: z.string(), hit: z.boolean() })),
})
export type Found = z.infer<typeof Found>
export const ThreadRow = z.extend(Thread, { found: z.optional(Found) })
export type ThreadRow = z.infer<typeof ThreadRow>

const Id = z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'Нужен номер из 8–64 букв, цифр и дефисов' }))
const Title = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_TITLE))
const Connect = z.object({ connect: z.object({ id: z.string() }) })

export const ThreadDraft = z.strictObject({
  /** The caller's own: creating the same thread twice is creating it once. */
  id: z.optional(Id),
  title: z.optional(Title),
  assistantId: z.optional(z.nullable(z.string())),
  User: z.optional(Connect),
  Model: z.optional(Connect),
})
export type ThreadDraft = z.infer<typeof ThreadDraft>

export const ThreadChange = z.strictObject({
  title: z.optional(Title),
  assistantId: z.optional(z.nullable(z.string())),
  Model: z.optional(Connect),
  pinned: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
  /** False takes it out of the trash. */
  deleted: z.optional(z.literal(false)),
  /** Shows another version: the branch goes down from it to its newest end. */
  currentLeafId: z.optional(Id),
  /** The version the change was made on; another one by now is a 409. */
  version: z.optional(z.int()),
})
export type ThreadChange = z.infer<typeof ThreadChange>

export const ThreadFilter = z.extend(PageQuery, {
  /** Searches titles and texts, by Russian word forms. */
  query: z.optional(z.string().check(z.maxLength(200))),
  view: z._default(z.enum(['active', 'archived', 'trash']), 'active'),
})
export type ThreadFilter = z.infer<typeof ThreadFilter>

export const SendMessage = z.strictObject({
  content: z.string().check(z.maxLength(MAX_MESSAGE)),
  /** The caller's own id of the message: sending it twice is sending it once. */
  id: z.optional(Id),
  /** What it answers; null begins the thread anew; left out, it goes to the end of the current branch. */
  parentId: z.optional(z.nullable(z.string())),
  modelId: z.optional(z.string()),
  fileIds: z.optional(idList(MAX_MESSAGE_FILES, 0)),
})
export type SendMessage = z.infer<typeof SendMessage>

/** What strangers see of a shared thread. */
export const SharedThread = z.object({
  title: z.string(),
  sharedAt: z.iso.datetime(),
  /** The beginning is left out: the thread is too long to be read by a link. */
  cut: z.boolean(),
  Messages: z.array(z.pick(Message, { id: true, role: true, content: true, createdAt: true })),
})
export type SharedThread = z.infer<typeof SharedThread>

export const threadsApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/threads',
    who: 'user',
    summary: 'Беседы: закреплённые, затем новые; с query поиск по названиям и текстам',
    query: ThreadFilter,
    returns: z.array(ThreadRow),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/threads',
    who: 'user',
    summary: 'Начать беседу',
    body: ThreadDraft,
    returns: ThreadWithMessages,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/threads/:id',
    who: 'user',
    summary: 'Беседа с последними сообщениями текущей ветки; более ранние по X-Next-Cursor',
    query: z.object({ cursor: z.optional(z.string()) }),
    returns: ThreadWithMessages,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/api/threads/:id',
    who: 'user',
    summary: 'Переименовать, закрепить, убрать в архив, вернуть из корзины, сменить модель или показанную ветку',
    body: ThreadChange,
    returns: Thread,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/threads/:id',
    who: 'user',
    summary: 'Убрать в корзину на 30 дней; forever=1 удаляет из корзины навсегда',
    query: z.object({ forever: z.optional(z.literal('1')) }),
    returns: Thread,
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/api/threads/:id/title',
    who: 'user',
    summary: 'Придумать название по беседе; отвечает новым названием. Своё название не меняется. Бесплатно',
    returns: z.string(),
  }),
  fork: endpoint({
    method: 'POST',
    path: '/api/threads/:id/fork',
    who: 'user',
    summary: 'Новая беседа с копией этой до выбранного сообщения',
    body: z.strictObject({ messageId: z.string() }),
    returns: Thread,
  }),
  editMessage: endpoint({
    method: 'PATCH',
    path: '/api/threads/:id/message/:messageId',
    who: 'user',
    summary: 'Исправить текст сообщения на месте',
    body: z.strictObject({ content: z.string().check(z.minLength(1), z.maxLength(MAX_MESSAGE)) }),
    returns: Message,
  }),
  deleteMessage: endpoint({
    method: 'DELETE',
    path: '/api/threads/:id/message/:messageId',
    who: 'user',
    summary: 'Удалить сообщение и всё, что за ним следует; отвечает, что удалено',
    returns: z.object({ deleted: z.array(z.string()), Thread }),
  }),
  share: endpoint({
    method: 'POST',
    path: '/api/threads/:id/share',
    who: 'user',
    summary: 'Открыть чтение по ссылке: показанная ветка на этот миг',
    returns: Thread,
  }),
  unshare: endpoint({
    method: 'DELETE',
    path: '/api/threads/:id/share',
    who: 'user',
    summary: 'Закрыть чтение по ссылке',
    returns: Thread,
  }),
  shared: endpoint({
    method: 'GET',
    path: '/api/shared/:shareId',
    who: 'anyone',
    summary: 'Беседа по ссылке',
    returns: SharedThread,
  }),
}

/** The file of a thread: `GET /api/threads/:id/export?format=`. */
export const exportFormats = ['md', 'json', 'docx'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** News of the topic `threads` is `changed` or `removed` with `{id}`; of `thread:{id}` it is one of these. */
export const ThreadEvent = z.discriminatedUnion('type', [
  /** The thread or its tree changed: read it again. */
  z.object({ type: z.literal('changed'), data: z.object({ version: z.int() }) }),
  /** An answer is being written: attach to its stream. */
  z.object({ type: z.literal('answering'), data: z.object({ messageId: z.string() }) }),
  z.object({ type: z.literal('finished'), data: z.object({ messageId: z.string() }) }),
])
export type ThreadEvent = z.infer<typeof ThreadEvent>
