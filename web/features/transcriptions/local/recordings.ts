import type { TranscriptionOptions } from '#contract/transcriptions.ts'
import { createStore } from '#web/lib/create-store.ts'
import { newId } from '#web/lib/new-id.ts'
import { put, readAll, remove } from '#web/lib/recordings-store.ts'
import type { Waiting } from '#web/lib/send-in-chunks.ts'

/** What an upload was started with; `most` is the price that the button named. */
export type UploadOptions = TranscriptionOptions & { most?: number }

/** A recording stored in this browser until it is uploaded; survives a reload. */
export interface StoredRecording {
  /** Also the id on the server, which makes uploads idempotent. */
  id: string
  userId: string
  kind: 'file' | 'voice'
  name: string
  title: string | null
  blob: Blob
  seconds: number | null
  /** Set when the upload was started: it continues by itself after a reload. */
  options: UploadOptions | null
  at: number
}

/** Releases before the renames stored the options as `wish`. */
type EarlierRecording = StoredRecording & { wish?: UploadOptions | null }

export interface Sending {
  /** From 0 to 1. */
  progress: number
  waiting: Waiting | null
}

export interface LocalRecording extends StoredRecording {
  sending: Sending | null
  error: string | null
  /** The server has it all and asks whether its real price is fine. */
  question: string | null
}

const recordings = createStore<readonly LocalRecording[]>([])
const loaded = new Map<string, Promise<void>>()

export const findRecording = (id: string) => recordings.get().find((item) => item.id === id)

export function patchRecording(
  id: string,
  change: Partial<Pick<LocalRecording, 'sending' | 'error' | 'question'>>,
): void {
  recordings.set(recordings.get().map((item) => (item.id === id ? { ...item, ...change } : item)))
}

/** If the browser's storage is full, it lives only as long as the page. */
export async function storeRecording(
  given: Omit<StoredRecording, 'id' | 'at' | 'options'> & { id?: string },
): Promise<LocalRecording> {
  const recording: StoredRecording = { ...given, id: given.id ?? newId(), options: null, at: Date.now() }
  const state = { ...recording, sending: null, error: null, question: null }
  recordings.set([state, ...recordings.get().filter(({ id }) => id !== recording.id)])
  await put('kept', recording).catch(() => undefined)
  return state
}

export async function changeRecording(
  id: string,
  change: Partial<Pick<StoredRecording, 'options' | 'seconds'>>,
): Promise<void> {
  recordings.set(recordings.get().map((item) => (item.id === id ? { ...item, ...change } : item)))
  const item = findRecording(id)
  if (!item) return
  const { sending: _, error: __, question: ___, ...recording } = item
  await put('kept', recording).catch(() => undefined)
}

export async function dropRecording(id: string): Promise<void> {
  recordings.set(recordings.get().filter((item) => item.id !== id))
  await remove('kept', id).catch(() => undefined)
}

/** Recordings that an earlier page of the same user left here. */
export function loadRecordings(userId: string): Promise<void> {
  const known = loaded.get(userId)
  if (known !== undefined) return known
  const loading = readAll('kept')
    .catch(() => [])
    .then((found) => {
      const own = (found as EarlierRecording[]).filter(
        ({ id, userId: owner }) => owner === userId && !findRecording(id),
      )
      const states = own.map(({ wish = null, ...recording }) => ({
        ...recording,
        options: recording.options ?? wish,
        sending: null,
        error: null,
        question: null,
      }))
      recordings.set([...recordings.get(), ...states.sort((a, b) => b.at - a.at)])
    })
  loaded.set(userId, loading)
  return loading
}

export const useLocalRecordings = recordings.use
