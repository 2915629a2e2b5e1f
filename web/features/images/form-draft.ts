import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { ImageSize, MAX_IMAGES_AT_ONCE } from '#contract/images.ts'

/** The image form's draft, stored in this browser. */

const Draft = z.object({
  prompt: z.string(),
  modelId: z.nullable(z.string()),
  size: ImageSize,
  n: z.int().check(z.minimum(1), z.maximum(MAX_IMAGES_AT_ONCE)),
})
export type ImageDraft = z.infer<typeof Draft>

const empty: ImageDraft = { prompt: '', modelId: null, size: 'auto', n: 1 }
/** Stored per user: a browser may be shared. */
const keyOf = (userId: string) => `image-draft:${userId}`

export function readDraft(text: string | null): ImageDraft {
  try {
    const stored = Draft.safeParse(JSON.parse(text ?? 'null'))
    return stored.success ? stored.data : empty
  } catch {
    return empty
  }
}

export function useImageDraft(userId: string) {
  const [draft, setDraft] = useState(() => readDraft(localStorage.getItem(keyOf(userId))))
  useEffect(() => {
    try {
      localStorage.setItem(keyOf(userId), JSON.stringify(draft))
    } catch {
      // Storage is full: the draft lives as long as the page.
    }
  }, [userId, draft])
  return { draft, change: (part: Partial<ImageDraft>) => setDraft((before) => ({ ...before, ...part })) }
}
