import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { knownOr } from './known-or.ts'

/** Pages of a file that a model can read from their pictures; see contract/scans.ts. */
const UnreadPages = z.object({
  /** How many pages have no usable text. */
  pages: z.int(),
  /** Of them, those that have been read. */
  read: z.int(),
})

/** An uploaded file: an image for a model with vision, or a document whose text is read. */
export const FileState = z.enum(['uploaded', 'reading', 'indexing', 'ready', 'failed'])
export type FileState = z.infer<typeof FileState>

export const Attachment = z.object({
  id: z.string(),
  kind: knownOr(z.enum(['image', 'document']), 'document'),
  name: z.string(),
  mime: z.string(),
  bytes: z.int(),
  state: knownOr(FileState, 'reading'),
  /** In percent. */
  progress: z.int(),
  /** Shown to its owner. */
  error: z.nullable(z.string()),
  /** The symbols that its text adds to a question; null until it is read. An image without a text adds IMAGE_SYMBOLS. */
  symbols: z.nullable(z.int()),
  /** The price of its embedding until the owner agrees to pay it; before that, the file is found by words only. */
  price: z.optional(z.nullable(z.int())),
  /** What the embedding cost. */
  charged: z.optional(z.int()),
  /** Null for a file whose text is known without reading pictures. */
  scan: z.optional(z.nullable(UnreadPages)),
  createdAt: z.iso.datetime(),
})
export type Attachment = z.infer<typeof Attachment>

/** An image counts as a fixed number of input symbols. */
export const IMAGE_SYMBOLS = 1000

export const MAX_FILE_BYTES = 20 * 1024 * 1024
export const MAX_MESSAGE_FILES = 10
/** All files in one user's chats together. */
export const MAX_CHAT_BYTES = 200 * 1024 * 1024
/** Files of one user that may be uploading or being read at one time. */
export const MAX_UNREAD_FILES = 10

export const filesApi = {
  upload: endpoint('POST', '/api/files', {
    who: 'user',
    summary: 'Загрузить файл для сообщения: multipart, поле file; картинка или документ до 20 МБ',
    takes: 'form',
    returns: Attachment,
  }),
  get: endpoint('GET', '/api/files/:id', {
    who: 'user',
    summary: 'Что с файлом сейчас',
    returns: Attachment,
  }),
  delete: endpoint('DELETE', '/api/files/:id', {
    who: 'user',
    summary: 'Удалить файл, который ещё не отправлен',
    returns: z.object({ id: z.string() }),
  }),
  content: endpoint('GET', '/api/files/:id/content', {
    who: 'user',
    summary: 'Сам файл: картинка показывается, остальное скачивается',
    answers: 'file',
  }),
}
