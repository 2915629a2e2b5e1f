import { and, eq } from 'drizzle-orm'
import type { Attachment } from '#contract/files.ts'
import { files } from '#server/db/schema.ts'

/** Everything that the owner sees; the text may be long and is left out. */
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
  // The error of an earlier try is hidden while another one is under way.
  error: row.state === 'failed' ? row.error : null,
  createdAt: createdAt.toISOString(),
})

export const ownFile = (userId: string, id: string) => and(eq(files.id, id), eq(files.userId, userId))

/** The storage prefix of uploaded files. */
export const UPLOADS = 'uploads'
