import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 700

/** A text that is saved automatically: after a pause in typing, on blur, and on leaving the page. */
export function useSavedText(value: string, save: (text: string) => void) {
  const [draft, setDraft] = useState<string | null>(null)
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; flush: () => void } | null>(null)

  function flush(text: string) {
    if (waiting.current) clearTimeout(waiting.current.timer)
    waiting.current = null
    if (text !== value) save(text)
  }

  function type(text: string) {
    setDraft(text)
    if (waiting.current) clearTimeout(waiting.current.timer)
    const now = () => flush(text)
    waiting.current = { timer: setTimeout(now, PAUSE_MS), flush: now }
  }

  useEffect(() => () => waiting.current?.flush(), [])
  return {
    typed: draft ?? value,
    type,
    /** Saves at once and shows the stored value again, so that a text that could not be saved is dropped. */
    saveNow() {
      if (draft !== null) flush(draft)
      setDraft(null)
    },
  }
}
