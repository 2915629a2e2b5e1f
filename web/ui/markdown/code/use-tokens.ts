import { startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { cacheTokens, highlightLater, knownTokens, LIMIT, prepareHighlight, SHORT } from './highlight.ts'
import type { Token } from './tokens.ts'

export interface Coloured {
  /** The code that the tokens add up to; while code is being written, its beginning. */
  code: string
  tokens: Token[]
}

/** While code is being written, tokenizing takes at most about 1/40 of the time. */
const PAUSE_MS = 600
const PAUSE_PER_MS = 40
const LIVE_LIMIT = 12_000

/** The tokens of code as far as they are ready. */
export function useTokens(code: string, language: string | null, isLive: boolean): Coloured | null {
  const [coloured, setColoured] = useState(() => known(code, language))
  const isDone = coloured?.code === code

  // A layout effect, so that short code is not painted without colours once its language is loaded.
  useLayoutEffect(() => {
    if (!language || isLive || isDone || code.length > LIMIT) return
    const found = known(code, language)
    if (found) return setColoured(found)
    return highlightLater(code, language, (tokens) => {
      cacheTokens(code, language, tokens)
      const show = () => setColoured({ code, tokens })
      if (code.length <= SHORT) show()
      else startTransition(show)
    })
  }, [code, language, isLive, isDone])

  const latest = useRef(code)
  useEffect(() => {
    latest.current = code
  }, [code])

  useEffect(() => {
    if (!language || !isLive) return
    prepareHighlight(language)
    return colourNowAndThen(language, () => latest.current, setColoured)
  }, [language, isLive])

  return coloured && code.startsWith(coloured.code) ? coloured : null
}

function known(code: string, language: string | null): Coloured | null {
  const tokens = language && knownTokens(code, language)
  return tokens ? { code, tokens } : null
}

function colourNowAndThen(language: string, read: () => string, show: (coloured: Coloured) => void): () => void {
  let done = ''
  let callOff: (() => void) | null = null
  let timer = setTimeout(tick, PAUSE_MS)

  function tick() {
    const code = read().slice(0, read().lastIndexOf('\n') + 1)
    if (code.length > LIVE_LIMIT) return
    if (code === done) {
      timer = setTimeout(tick, PAUSE_MS)
      return
    }
    callOff = highlightLater(code, language, (tokens, ms) => {
      done = code
      startTransition(() => show({ code, tokens }))
      timer = setTimeout(tick, Math.max(PAUSE_MS, ms * PAUSE_PER_MS))
    })
  }

  return () => {
    clearTimeout(timer)
    callOff?.()
  }
}
