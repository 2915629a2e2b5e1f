import { useSyncExternalStore } from 'react'
import type { RecordingWish } from '#contract/transcriptions.ts'
import { newId } from '#web/lib/new-id.ts'
import { put, readAll, remove } from './store.ts'

/** A recording that is still in this browser: chosen or recorded, perhaps on its way. It survives a reload. */
export interface Kept {
  /** Becomes the id on the server, so sending it twice is sending it once. */
  id: string
  userId: string
  kind: 'file' | 'voice'
  name: string
  title: string | null
  blob: Blob
  seconds: number | null
  /** Told to go: goes on by itself after a reload. */
  wish: RecordingWish | null
  at: number
}

/** How far one is on its way. */
export interface Sending {
  /** From 0 to 1. */
  share: number
  /** The network is gone; it waits for it. */
  isWaiting: boolean
}

export interface KeptState extends Kept {
  sending: Sending | null
  error: string | null
}

let items: readonly KeptState[] = []
const listeners = new Set<() => void>()
const loaded = new Map<string, Promise<void>>()

function show(next: readonly KeptState[]) {
  items = next
  for (const listener of listeners) listener()
}

export const findKept = (id: string) => items.find((item) => item.id === id)

export function noteKept(id: string, change: Partial<Pick<KeptState, 'sending' | 'error'>>): void {
  show(items.map((item) => (item.id === id ? { ...item, ...change } : item)))
}

/** Takes it in. A browser without room keeps it as long as the page lives. */
export async function keepRecording(given: Omit<Kept, 'id' | 'at' | 'wish'> & { id?: string }): Promise<KeptState> {
  const kept: Kept = { ...given, id: given.id ?? newId(), wish: null, at: Date.now() }
  const state = { ...kept, sending: null, error: null }
  show([state, ...items.filter(({ id }) => id !== kept.id)])
  await put('kept', kept).catch(() => undefined)
  return state
}

export async function changeKept(id: string, change: Partial<Pick<Kept, 'wish' | 'seconds'>>): Promise<void> {
  show(items.map((item) => (item.id === id ? { ...item, ...change } : item)))
  const item = findKept(id)
  if (!item) return
  const { sending: _, error: __, ...kept } = item
  await put('kept', kept).catch(() => undefined)
}

export async function dropKept(id: string): Promise<void> {
  show(items.filter((item) => item.id !== id))
  await remove('kept', id).catch(() => undefined)
}

/** What an earlier page of the same person left here. */
export function loadKept(userId: string): Promise<void> {
  const known = loaded.get(userId)
  if (known !== undefined) return known
  const loading = readAll('kept')
    .catch(() => [])
    .then((found) => {
      const own = (found as Kept[]).filter((kept) => kept.userId === userId && !findKept(kept.id))
      const states = own.map((kept) => ({ ...kept, sending: null, error: null }))
      show([...items, ...states.sort((a, b) => b.at - a.at)])
    })
  loaded.set(userId, loading)
  return loading
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useKept(): readonly KeptState[] {
  return useSyncExternalStore(subscribe, () => items)
}
