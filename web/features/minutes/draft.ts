import type { MinutesKind } from '#contract/minutes.ts'
import { hasFields, readJson } from '#web/lib/stored.ts'

/** A text that is being edited and not saved yet. */
export interface MinutesDraft {
  text: string
  /** The version that it began with. */
  version: number
}

export interface DraftPlace {
  userId: string
  id: string
  kind: MinutesKind
}

/** Sealed with the other words of the user when the session ends (`wordsOf`). */
const keyOf = ({ userId, id, kind }: DraftPlace) => `minutes-draft:${userId}:${id}:${kind}`
/** If the browser's storage is full, it lives as long as the page. */
const memory = new Map<string, MinutesDraft>()

export function readDraft(place: DraftPlace): MinutesDraft | null {
  const draft = memory.get(keyOf(place)) ?? readJson(localStorage.getItem(keyOf(place)))
  return hasFields<MinutesDraft>(draft, { text: 'string', version: 'number' }) ? draft : null
}

export function writeDraft(place: DraftPlace, draft: MinutesDraft | null): void {
  const key = keyOf(place)
  if (draft) memory.set(key, draft)
  else memory.delete(key)
  try {
    if (draft) localStorage.setItem(key, JSON.stringify(draft))
    else localStorage.removeItem(key)
  } catch {
    // Kept in memory instead.
  }
}
