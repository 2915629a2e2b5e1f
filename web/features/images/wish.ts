import { useState } from 'react'

/** The name begins as that of the drawing form, whose words are sealed when their owner signs out. */
const keyOf = (userId: string, imageId: string) => `image-draft:${userId}:${imageId}`

/** What is typed for a change, kept in the browser until it is sent. */
export function useWish(userId: string, imageId: string, first: string) {
  const key = keyOf(userId, imageId)
  const [text, setText] = useState(() => first || localStorage.getItem(key) || '')
  return {
    text,
    write: (next: string) => {
      setText(next)
      try {
        localStorage.setItem(key, next)
      } catch {
        // Storage is full: the words live as long as the page.
      }
    },
    forget: () => localStorage.removeItem(key),
  }
}
