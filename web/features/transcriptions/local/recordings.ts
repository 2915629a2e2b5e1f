import { useSyncExternalStore } from 'react'
import type { TranscriptionOptions } from '#contract/transcriptions.ts'
import { newId } from '#web/lib/new-id.ts'
import { put, readAll, remove } from './store.ts'

/** A recording that is still in this browser: chosen or recorded, perhaps on its way. It survives a reload. */
export interface StoredRecording {
  /** Becomes the id on the server, so sending it twice is sending it once. */
  id: string
  userId: string
  kind: 'file' | 'voice'
  name: string
  title: string | null
  blob: Blob
  seconds: number | null
  /** Told to go: goes on by itself after a reload. */
  options: TranscriptionOptions | null
  at: number
}

/** How far one is on its way. */
export interface Sending {
  /** From 0 to 1. */
  share: number
  /** The network is gone; it waits for it. */
  isWaiting: boolean
}

export interface LocalRecording extends StoredRecording {
  sending: Sending | null
  error: string | null
}

let items: readonly LocalRecording[] = []
const listeners = new Set<() => void>()
const loaded = new Map<string, Promise<void>>()

function show(next: readonly LocalRecording[]) {
  items = next
  for (const listener of listeners) listener()
}

export const findRecording = (id: string) => items.find((item) => item.id === id)

export function noteRecording(id: string, change: Partial<Pick<LocalRecording, 'sending' | 'error'>>): void {
  show(items.map((item) => (item.id === id ? { ...item, ...change } : item)))
}

/** Takes it in. A browser without room keeps it as long as the page lives. */
export async function keepRecording(
  given: Omit<StoredRecording, 'id' | 'at' | 'options'> & { id?: string },
): Promise<LocalRecording> {
  const recording: StoredRecording = { ...given, id: given.id ?? newId(), options: null, at: Date.now() }
  const state = { ...recording, sending: null, error: null }
  show([state, ...items.filter(({ id }) => id !== recording.id)])
  await put('kept', recording).catch(() => undefined)
  return state
}

export async function changeRecording(
  id: string,
  change: Partial<Pick<StoredRecording, 'options' | 'seconds'>>,
): Promise<void> {
  show(items.map((item) => (item.id === id ? { ...item, ...change } : item)))
  const item = findRecording(id)
  if (!item) return
  const { sending: _, error: __, ...recording } = item
  await put('kept', recording).catch(() => undefined)
}

export async function dropRecording(id: string): Promise<void> {
  show(items.filter((item) => item.id !== id))
  await remove('kept', id).catch(() => undefined)
}

/** What an earlier page of the same person left here. */
export function loadRecordings(userId: string): Promise<void> {
  const known = loaded.get(userId)
  if (known !== undefined) return known
  const loading = readAll('kept')
    .catch(() => [])
    .then((found) => {
      const own = (found as StoredRecording[]).filter(
        (recording) => recording.userId === userId && !findRecording(recording.id),
      )
      const states = own.map((recording) => ({ ...recording, sending: null, error: null }))
      show([...items, ...states.sort((a, b) => b.at - a.at)])
    })
  loaded.set(userId, loading)
  return loading
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useLocalRecordings(): readonly LocalRecording[] {
  return useSyncExternalStore(subscribe, () => items)
}
