import * as z from 'zod/mini'
import { Segment } from '#contract/transcriptions.ts'

/** Corrections that have not reached the server, in this browser. */

const Draft = z.object({ text: z.string(), segments: z.nullable(z.array(Segment)) })
export type TextDraft = z.infer<typeof Draft>

const keyOf = (id: string) => `transcript:${id}`
/** A browser without room keeps them as long as the page lives. */
const memory = new Map<string, TextDraft>()

export function readDraft(id: string): TextDraft | null {
  const known = memory.get(id)
  if (known) return known
  try {
    const stored = Draft.safeParse(JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null'))
    return stored.success ? stored.data : null
  } catch {
    return null
  }
}

export function writeDraft(id: string, draft: TextDraft | null): void {
  if (draft) memory.set(id, draft)
  else memory.delete(id)
  try {
    if (draft) localStorage.setItem(keyOf(id), JSON.stringify(draft))
    else localStorage.removeItem(keyOf(id))
  } catch {
    // It stays in memory.
  }
}
