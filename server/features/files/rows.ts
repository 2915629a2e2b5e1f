import { and, eq } from 'drizzle-orm'
import type { Attachment } from '#contract/files.ts'
import { files } from '#server/db/schema.ts'

/** What its owner sees of a file: everything but the text, which may be long, and where the bytes are. */
export const attachmentColumns = {
  id: files.id,
  kind: files.kind,
  name: files.name,
  mime: files.mime,
  bytes: files.bytes,
  state: files.state,
  progress: files.progress,
  error: files.error,
  symbols: files.symbols,
  price: files.price,
  charged: files.charged,
  createdAt: files.createdAt,
}

type AttachmentRow = Omit<Attachment, 'createdAt'> & { createdAt: Date }

export const toAttachment = ({ createdAt, ...row }: AttachmentRow): Attachment => ({
  ...row,
  // Why an earlier try failed is nobody's business while there is another.
  error: row.state === 'failed' ? row.error : null,
  createdAt: createdAt.toISOString(),
})

export const ownFile = (userId: string, id: string) => and(eq(files.id, id), eq(files.userId, userId))

/** The bytes of files that people brought lie under this prefix of the storage. */
export const UPLOADS = 'uploads'
