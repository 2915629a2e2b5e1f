import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 200

/** Reports typed text after a short pause. A value changed from outside, as by «Back», replaces the text. */
export function useTyped(value: string, onChange: (text: string) => void) {
  const [typed, setTyped] = useState(value)
  const reported = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setTyped(value)
  }, [value])

  function type(text: string) {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      reported.current = text.trim()
      onChange(text.trim())
    }, PAUSE_MS)
  }

  return { typed, type }
}
