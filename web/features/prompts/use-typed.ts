import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 200

/** What is typed, told on after a short pause. Another value from outside (the way back) replaces it. */
export function useTyped(wanted: string, onWant: (text: string) => void) {
  const [typed, setTyped] = useState(wanted)
  const told = useRef(wanted)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (wanted === told.current) return
    told.current = wanted
    setTyped(wanted)
  }, [wanted])

  function type(text: string) {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      told.current = text.trim()
      onWant(text.trim())
    }, PAUSE_MS)
  }

  return { typed, type }
}
