import { ApiError } from '#contract/errors.ts'
import { type Attachment, filesApi } from '#contract/files.ts'
import { api } from '#web/lib/api.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { notify } from '#web/lib/notify.ts'
import { sendFile } from '#web/lib/upload.ts'
import { drafts } from '../state/drafts.ts'
import { looksLikeImage, sortFiles } from './attachments.ts'
import { type Upload, uploads } from './uploads.ts'

/** Uploads the files of drafts; loaded with the first file. */

let lastKey = 0

export function addFiles(draft: string, files: readonly File[]): void {
  const already = drafts().read(draft).files.length + (uploads.get(draft)?.length ?? 0)
  const { taken, rejections } = sortFiles(files, already)
  for (const file of taken) uploadFile(draft, file)
  if (rejections.length > 0)
    notify.error({ title: 'Не всё удалось приложить', description: [...new Set(rejections)].join(' ') })
}

function change(draft: string, next: (before: readonly Upload[]) => readonly Upload[]) {
  uploads.set(draft, next(uploads.get(draft) ?? []))
}

function uploadFile(draft: string, file: File): void {
  lastKey += 1
  const key = lastKey
  const update = (changed: Partial<Upload>) =>
    change(draft, (all) => all.map((upload) => (upload.key === key ? { ...upload, ...changed } : upload)))
  const forget = () => change(draft, (all) => all.filter((upload) => upload.key !== key))
  const { sent, abort } = sendFile(filesApi.upload, {}, file, (share) => update({ share }))
  const cancel = () => {
    abort()
    forget()
  }
  change(draft, (all) => [...all, { key, file, isImage: looksLikeImage(file), share: 0, error: null, cancel }])
  sent.then(
    (attachment) => {
      forget()
      const before = drafts().read(draft)
      drafts().write(draft, { ...before, files: [...before.files, attachment] })
    },
    (error: Error) => update({ error: callErrorText(error) }),
  )
}

export function retryUpload(draft: string, { file, cancel }: Upload): void {
  cancel()
  uploadFile(draft, file)
}

/** Removes a file from the draft and deletes it: no message uses it. */
export function removeDraftFile(draft: string, id: string): void {
  const before = drafts().read(draft)
  drafts().write(draft, { ...before, files: before.files.filter((file) => file.id !== id) })
  api(filesApi.delete, { params: { id } }).catch(() => undefined)
}

const watched = new Set<string>()
const isFinal = ({ state }: Attachment) => state === 'ready' || state === 'failed'
const POLL_MS = 700

/** Polls a file until it is ready or failed. */
export async function watchFile(draft: string, id: string): Promise<void> {
  if (watched.has(id)) return
  watched.add(id)
  for (let wait = POLL_MS; isInDraft(draft, id); wait = Math.min(wait * 1.3, 5000)) {
    await new Promise((resolve) => setTimeout(resolve, wait))
    const now = await api(filesApi.get, { params: { id } }).catch((error: unknown) => dropMissingFile(draft, id, error))
    if (!now) continue
    const before = drafts().read(draft)
    drafts().write(draft, { ...before, files: before.files.map((file) => (file.id === id ? now : file)) })
    if (isFinal(now)) break
  }
  watched.delete(id)
}

const isInDraft = (draft: string, id: string) =>
  drafts()
    .read(draft)
    .files.some((file) => file.id === id)

/** The server may have deleted a file of an old draft. */
function dropMissingFile(draft: string, id: string, error: unknown): null {
  if (error instanceof ApiError && error.status === 404) removeDraftFile(draft, id)
  return null
}
