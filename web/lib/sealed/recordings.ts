import { put, readAll, remove, type StoreName } from '../recordings-store.ts'

/** A row of a store of recordings without its sound. */
export interface SealedRecording {
  store: StoreName
  row: Record<string, unknown>
  /** The type of the sound; null for a row that has none. */
  type: string | null
}

interface Row extends Record<string, unknown> {
  id?: string
  userId?: string
  voiceId?: string
  number?: number
  kind?: string
  blob?: Blob
}

/** The recordings of a user that were not uploaded, with the ways to read and to remove each. */
export async function recordingsOf(userId: string) {
  const recordings = ((await readAll('kept')) as Row[]).filter((row) => row.userId === userId)
  const voices = ((await readAll('voices')) as Row[]).filter((row) => row.userId === userId)
  const ids = new Set(voices.map(({ id }) => id))
  const chunks = ((await readAll('chunks')) as Row[]).filter(({ voiceId }) => ids.has(voiceId))
  return [
    ...recordings.map((row) => recordingIn('kept', row, row.id ?? '')),
    ...voices.map((row) => recordingIn('voices', row, row.id ?? '')),
    ...chunks.map((row) => recordingIn('chunks', row, [row.voiceId ?? '', row.number ?? 0])),
  ]
}

function recordingIn(store: StoreName, { blob, ...row }: Row, key: IDBValidKey) {
  return {
    row: { store, row, type: blob?.type ?? null } satisfies SealedRecording,
    bytes: async () => (await blob?.arrayBuffer()) ?? new ArrayBuffer(0),
    remove: () => remove(store, key),
  }
}

export async function restoreRecording({ store, row, type }: SealedRecording, bytes: ArrayBuffer): Promise<void> {
  await put(store, type === null ? row : { ...row, blob: new Blob([bytes], { type }) })
}
