import type { QueryClient } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import { createStore } from '#web/lib/create-store.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { holdReload } from '#web/lib/hold-reload.ts'
import { notify } from '#web/lib/notify.ts'
import { sendFile } from '#web/lib/upload.ts'
import type { LibraryCalls } from './queries.ts'

/** A file being uploaded to an assistant or a project. Uploads continue while the user visits other screens. */
export interface Upload {
  key: number
  library: LibraryCalls
  file: File
  /** From 0 to 1; null while queued. */
  progress: number | null
  error: string | null
}

/** More would only slow each other down. */
const MAX_PARALLEL_UPLOADS = 3

const uploads = createStore<readonly Upload[]>([])
const aborts = new Map<number, () => void>()
let lastKey = 0
let release: (() => void) | null = null

function set(next: readonly Upload[]) {
  uploads.set(next)
  const isBusy = next.some(({ error }) => error === null)
  if (isBusy) release ??= holdPage()
  else {
    release?.()
    release = null
  }
}

/** Unfinished uploads would be lost, so the browser asks before closing the tab. */
function holdPage(): () => void {
  const letReload = holdReload('files on their way')
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  addEventListener('beforeunload', ask)
  return () => {
    letReload()
    removeEventListener('beforeunload', ask)
  }
}

const change = (key: number, part: Partial<Upload>) =>
  set(uploads.get().map((upload) => (upload.key === key ? { ...upload, ...part } : upload)))
const forget = (key: number) => set(uploads.get().filter((upload) => upload.key !== key))

export function uploadFiles(client: QueryClient, library: LibraryCalls, files: readonly File[]): void {
  const fresh = files.map((file) => ({ key: ++lastKey, library, file, progress: null, error: null }))
  set([...uploads.get(), ...fresh])
  startNext(client)
}

function startNext(client: QueryClient): void {
  while (aborts.size < MAX_PARALLEL_UPLOADS) {
    const next = uploads
      .get()
      .find(({ key, error, progress }) => progress === null && error === null && !aborts.has(key))
    if (!next) return
    start(client, next)
  }
}

function start(client: QueryClient, { key, library, file }: Upload): void {
  const args = { params: { id: library.id }, query: {} }
  const { sent, abort } = sendFile(library.addFile, args, file, (progress) => change(key, { progress }))
  const end = () => {
    aborts.delete(key)
    startNext(client)
  }
  aborts.set(key, () => {
    abort()
    end()
  })
  change(key, { progress: 0 })
  sent.then(
    (stored) => {
      forget(key)
      library.onAdded(client, stored)
      end()
    },
    (error: Error) => {
      change(key, { error: callErrorText(error) })
      toastUploadError(library, file.name, callErrorText(error))
      end()
    },
  )
}

/** The file rows show the error; a toast shows it on other screens. */
function toastUploadError({ path }: LibraryCalls, name: string, description: string): void {
  if (location.pathname === path) return
  const action = { label: 'Открыть', onClick: () => navigate(path) }
  notify.error({ title: `Файл «${name}» не загрузился`, description, action })
}

export function cancelUpload(key: number): void {
  forget(key)
  aborts.get(key)?.()
}

export function retryUpload(client: QueryClient, key: number): void {
  change(key, { error: null, progress: null })
  startNext(client)
}

export const useUploads = uploads.use
