import { useEffect, useState } from 'react'
import { type ImageSize, imageSizes } from '#contract/image-skills.ts'
import { MAX_IMAGES_AT_ONCE } from '#contract/images.ts'
import { hasFields, readJson } from '#web/lib/stored.ts'

export interface ImageDraft {
  prompt: string
  modelId: string | null
  size: ImageSize
  transparent: boolean
  n: number
}

const empty: ImageDraft = { prompt: '', modelId: null, size: 'auto', transparent: false, n: 1 }
/** Stored per user: a browser may be shared. */
const keyOf = (userId: string) => `image-draft:${userId}`

export function readDraft(text: string | null): ImageDraft {
  const draft = readJson(text)
  if (!hasFields<ImageDraft>(draft, { prompt: 'string', size: 'string', n: 'number' })) return empty
  const isOffered = imageSizes.includes(draft.size) && draft.n >= 1 && draft.n <= MAX_IMAGES_AT_ONCE
  // Releases before transparency stored none.
  return isOffered ? { ...empty, ...draft } : { ...empty, prompt: draft.prompt }
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
