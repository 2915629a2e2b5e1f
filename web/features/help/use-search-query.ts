import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'

const PAUSE_MS = 200
const NAME = 'query'

/** What is typed, and what is looked for: the same after a short pause, kept in the address for the way back. */
export function useSearchQuery() {
  const [params, setParams] = useSearchParams()
  const wanted = params.get(NAME) ?? ''
  const [typed, setTyped] = useState(wanted)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function type(text: string) {
    setTyped(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setParams(withQuery(text.trim()), { replace: true }), PAUSE_MS)
  }

  return { typed, type, wanted }
}

function withQuery(query: string) {
  return (params: URLSearchParams) => {
    const next = new URLSearchParams(params)
    if (query === '') next.delete(NAME)
    else next.set(NAME, query)
    return next
  }
}
