import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 200

/** Reports typed text after a short pause. A value changed from outside, as by «Back», replaces the text. */
export function useTyped(wanted: string, onWant: (text: string) => void) {
  const [typed, setTyped] = useState(wanted)
  const reported = useRef(wanted)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (wanted === reported.current) return
    reported.current = wanted
    setTyped(wanted)
  }, [wanted])

  function type(text: string) {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      reported.current = text.trim()
      onWant(text.trim())
    }, PAUSE_MS)
  }

  return { typed, type }
}
