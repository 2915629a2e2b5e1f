import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** A file that somebody brought: a picture for a model that sees, or a document whose text is read. */
export const FileState = z.enum(['uploaded', 'reading', 'indexing', 'ready', 'failed'])
export type FileState = z.infer<typeof FileState>

export const Attachment = z.object({
  id: z.string(),
  kind: z.enum(['image', 'document']),
  name: z.string(),
  mime: z.string(),
  bytes: z.int(),
  state: FileState,
  /** Percent of the work on it that is done. */
  progress: z.int(),
  /** Why it could not be read, in words for its owner. */
  error: z.nullable(z.string()),
  /** What it adds to the input of a question; null until that is known. */
  symbols: z.nullable(z.int()),
  /** What searching it by meaning will cost, while that waits for its owner to agree; until then it is found by words. */
  price: z.optional(z.nullable(z.int())),
  /** What that cost. */
  charged: z.optional(z.int()),
  createdAt: z.iso.datetime(),
})
export type Attachment = z.infer<typeof Attachment>

/** A picture is not text, so it counts as a fixed number of symbols of input. */
export const IMAGE_SYMBOLS = 1000

export const MAX_FILE_BYTES = 20 * 1024 * 1024
export const MAX_MESSAGE_FILES = 10
/** All files in one person's chats together. */
export const MAX_CHAT_BYTES = 200 * 1024 * 1024
/** Files of one person that may be on their way or being read at one time. */
export const MAX_UNREAD_FILES = 10

/** The bytes themselves, for their owner: pictures to show, everything else to save. */
export const FILE_CONTENT = '/api/files/:id/content'

/** The body of an upload is multipart with the field `file`; it goes by `POST /api/files` outside of JSON. */
export const filesApi = {
  upload: endpoint({
    method: 'POST',
    path: '/api/files',
    who: 'user',
    summary: 'Загрузить файл для сообщения: multipart, поле file; картинка или документ до 20 МБ',
    returns: Attachment,
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/files/:id',
    who: 'user',
    summary: 'Что с файлом сейчас',
    returns: Attachment,
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/api/files/:id',
    who: 'user',
    summary: 'Удалить файл, который ещё не отправлен',
    returns: z.object({ id: z.string() }),
  }),
}
