import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { type ImportRow, importsApi, MAX_IMPORT_BYTES, MAX_IMPORT_FILES } from '#contract/imports.ts'
import { api } from '#web/lib/api.ts'
import { createStore } from '#web/lib/create-store.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { holdReload } from '#web/lib/hold-reload.ts'
import { newId } from '#web/lib/new-id.ts'
import { sendInChunks, type Waiting, withRetry } from '#web/lib/send-in-chunks.ts'
import { upload } from '#web/lib/upload.ts'
import { refreshImports } from './queries.ts'

export interface Sending {
  /** From 0 to 1, over all files. */
  progress: number
  waiting: Waiting | null
  error: string | null
}

/** Uploads of this page, by the id of the import. */
const uploads = createStore<Readonly<Record<string, Sending>>>({})
const running = new Map<string, AbortController>()

export const useUploads = uploads.use

export function rejectionReason(files: readonly Pick<File, 'name' | 'size'>[]): string | null {
  const empty = files.find(({ size }) => size === 0)
  if (empty) return `Файл «${empty.name}» пустой.`
  if (files.length > MAX_IMPORT_FILES) return `За один раз можно выбрать не больше ${MAX_IMPORT_FILES} файлов.`
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_IMPORT_BYTES)
    return 'Вместе файлы больше 2 ГБ. Перенесите их по очереди.'
  const other = files.find(({ name }) => !/\.(zip|json)$/i.test(name))
  return other ? `Файл «${other.name}» не похож на архив: нужен ZIP или JSON, который прислал сервис.` : null
}

/** Whether these are the files of an upload that was broken off. */
export function isSameUpload(files: readonly Pick<File, 'size'>[], row: ImportRow): boolean {
  return (
    row.status === 'uploading' &&
    row.files.map(({ bytes }) => bytes).join() ===
      sorted(files)
        .map(({ size }) => size)
        .join()
  )
}

/** In one order, however they were chosen: a broken off upload is continued by the sizes of its files. */
const sorted = <Item extends { size: number; name?: string }>(files: readonly Item[]) =>
  files.toSorted((a, b) => a.size - b.size || (a.name ?? '').localeCompare(b.name ?? ''))

/** Uploads the files as one archive, or continues an upload that was broken off. */
export async function sendArchive(client: QueryClient, chosen: readonly File[], begun?: ImportRow): Promise<void> {
  const files = sorted(chosen)
  const id = begun?.id ?? newId()
  if (running.has(id)) return
  const abort = new AbortController()
  running.set(id, abort)
  const total = files.reduce((sum, { size }) => sum + size, 0)
  const note = (change: Partial<Sending>) =>
    uploads.set({
      ...uploads.get(),
      [id]: { progress: 0, waiting: null, error: null, ...uploads.get()[id], ...change },
    })
  note({ error: null })
  const free = holdReload('an archive is on its way')
  const onWaiting = (waiting: Waiting | null) => note({ waiting })
  const through = <Answer>(work: () => Promise<Answer>) => withRetry(work, abort.signal, onWaiting)
  try {
    const body = { id, files: files.map(({ name, size }) => ({ name, bytes: size })) }
    const row = begun ?? (await through(() => api(importsApi.begin, { body })))
    await refreshImports(client)
    let before = 0
    for (const [number, file] of files.entries()) {
      const at = row.files[number]
      if (!at) break
      const params = { id, number: String(number) }
      const calls = {
        put: (offset: number, chunk: Blob, onSent: (bytes: number) => void) =>
          upload(importsApi.put, { params, query: { offset } }, chunk, { signal: abort.signal, onSent }),
        ask: async () => (await api(importsApi.get, { params: { id } })).files[number] ?? at,
      }
      const done = before
      const onProgress = (share: number) => note({ progress: (done + share * file.size) / total })
      await sendInChunks(file, at, calls, abort.signal, { onProgress, onWaiting })
      before += file.size
    }
    await through(() => api(importsApi.finish, { params: { id } }))
    forget(id)
  } catch (error) {
    if (abort.signal.aborted) forget(id)
    else
      note({ error: error instanceof ApiError ? callErrorText(error) : 'Загрузить не получилось. Попробуйте ещё раз.' })
  } finally {
    running.delete(id)
    free()
    await refreshImports(client)
  }
}

/** Ends an upload; what came so far is deleted with the import. */
export function cancelSending(id: string): void {
  running.get(id)?.abort(new Error('cancelled'))
  forget(id)
}

export function forget(id: string): void {
  const { [id]: _, ...others } = uploads.get()
  uploads.set(others)
}
