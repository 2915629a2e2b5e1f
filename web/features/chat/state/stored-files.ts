import type { Attachment } from '#contract/files.ts'
import { hasFields } from '#web/lib/stored.ts'

/** Whether a stored value is a list of files, each with the fields that are shown. */
export function areAttachments(value: unknown): value is Attachment[] {
  return Array.isArray(value) && value.every(isAttachment)
}

const isAttachment = (value: unknown) =>
  hasFields<Attachment>(value, {
    id: 'string',
    kind: 'string',
    name: 'string',
    mime: 'string',
    bytes: 'number',
    state: 'string',
    progress: 'number',
    createdAt: 'string',
  })
