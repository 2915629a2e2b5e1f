import { useState } from 'react'
import type { Image } from '#contract/images.ts'

export interface OpenedChange {
  imageId: string
  /** A failed change whose description, area and examples are taken over. */
  retried?: Image
  /** The image gets other proportions. */
  isReshaping?: boolean
}

/** Which image is being changed, at first the one that a link names, and the change that was begun last. */
export function useChanges(first: string | null) {
  const [opened, setOpened] = useState<OpenedChange | null>(first === null ? null : { imageId: first })
  const [awaited, setAwaited] = useState<string | null>(null)
  return {
    opened,
    awaited,
    open: (imageId: string, options: Omit<OpenedChange, 'imageId'> = {}) => setOpened({ imageId, ...options }),
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
