import type { Attachment } from '#contract/files.ts'
import { changesImages } from '#contract/image-address.ts'
import type { Model } from '#contract/models.ts'
import { MAX_MESSAGE } from '#contract/threads.ts'

interface SendContext {
  text: string
  files: readonly Pick<Attachment, 'kind' | 'state' | 'scan'>[]
  uploads: readonly { error: string | null; isImage: boolean }[]
  /** The image that is to be changed. */
  imageId?: string | undefined
  model: (Pick<Model, 'kind' | 'vision'> & Partial<Pick<Model, 'imageSkills'>>) | null
  isTooLong: boolean
}

/** Why a message cannot be sent; the sentences are in blocked-note.tsx. */
export type BlockedReason =
  | 'no-model'
  | 'empty'
  | 'too-long'
  | 'draws-only'
  | 'changes-nothing'
  | 'blind'
  | 'no-room'
  | 'upload-failed'
  | 'uploading'
  | 'unreadable'
  | 'unread-scan'
  | 'reading'

export function whyNotSend(context: SendContext): BlockedReason | null {
  const { text, files, uploads, imageId, model, isTooLong } = context
  if (!model) return 'no-model'
  if (imageId && !changesImages(model)) return 'changes-nothing'
  if (text.trim() === '' && files.length === 0 && uploads.length === 0) return 'empty'
  if (text.length > MAX_MESSAGE) return 'too-long'
  if (model.kind === 'image' && (files.length > 0 || uploads.length > 0)) return 'draws-only'
  if (isBlindToFiles(context)) return 'blind'
  if (isTooLong) return 'no-room'
  if (uploads.some(({ error }) => error)) return 'upload-failed'
  if (uploads.length > 0) return 'uploading'
  if (files.some(({ state, scan }) => state === 'failed' && !scan)) return 'unreadable'
  if (files.some(({ state }) => state === 'failed')) return 'unread-scan'
  return files.some(({ state }) => state !== 'ready') ? 'reading' : null
}

function isBlindToFiles({ files, uploads, model }: Pick<SendContext, 'files' | 'uploads' | 'model'>): boolean {
  const hasImage =
    files.some(({ kind, scan }) => kind === 'image' && !scan?.read) || uploads.some(({ isImage }) => isImage)
  return hasImage && model?.kind === 'text' && !model.vision
}

interface Key {
  key: string
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  isComposing: boolean
  /** Safari reports 229 while an input method confirms a word. */
  keyCode: number
}

/** Whether a key sends the message. Enter that confirms a composed word does not. */
export function isSendKey(
  { key, shiftKey, ctrlKey, metaKey, isComposing, keyCode }: Key,
  { enterSends, isTouch }: { enterSends: boolean; isTouch: boolean },
): boolean {
  if (key !== 'Enter' || isComposing || keyCode === 229) return false
  if (ctrlKey || metaKey) return true
  if (isTouch) return false
  return shiftKey !== enterSends
}
