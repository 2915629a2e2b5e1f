import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 700

/** A text that is kept by itself: after a pause in typing, on leaving the field, and on leaving the page. */
export function useDraft(value: string, keep: (text: string) => void) {
  const [draft, setDraft] = useState<string | null>(null)
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; flush: () => void } | null>(null)

  function flush(text: string) {
    if (waiting.current) clearTimeout(waiting.current.timer)
    waiting.current = null
    if (text !== value) keep(text)
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
    /** What was typed and could not be kept is forgotten. */
    leave() {
      if (draft !== null) flush(draft)
      setDraft(null)
    },
  }
}
