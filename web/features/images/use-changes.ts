import { useState } from 'react'
import type { Image } from '#contract/images.ts'

/** Which image is being changed, at first the one that a link names, and the change that was begun last. */
export function useChanges(first: string | null) {
  const [opened, setOpened] = useState<{ imageId: string; retried: Image | null } | null>(
    first === null ? null : { imageId: first, retried: null },
  )
  const [awaited, setAwaited] = useState<string | null>(null)
  return {
    opened,
    awaited,
    open: (imageId: string, retried: Image | null = null) => setOpened({ imageId, retried }),
    close: () => setOpened(null),
    arrived: () => setAwaited(null),
    started: (image: Image) => {
      setOpened(null)
      setAwaited(image.id)
    },
  }
}

const NOTE_KEY = 'image-note'

/** Whether pictures say in the viewer that a model made them; a choice of this browser. */
export function useNoteSetting(): [boolean, (isShown: boolean) => void] {
  const [isShown, setShown] = useState(() => localStorage.getItem(NOTE_KEY) !== 'off')
  return [
    isShown,
    (next) => {
      setShown(next)
      localStorage.setItem(NOTE_KEY, next ? 'on' : 'off')
    },
  ]
}
