import { startTransition, useEffect, useLayoutEffect, useRef, useState } from 'react'
import {
  cachedTokens,
  cacheTokens,
  HIGHLIGHT_LIMIT,
  highlightLater,
  prepareHighlight,
  SHORT_CODE_LIMIT,
} from './highlight.ts'
import type { Token } from './tokens.ts'

export interface HighlightedCode {
  /** The code that the tokens add up to; while code is being written, its beginning. */
  code: string
  tokens: Token[]
}

/** While code is being written, tokenizing takes at most about 1/40 of the time. */
const PAUSE_MS = 600
const PAUSE_PER_MS = 40
const LIVE_LIMIT = 12_000

export function useTokens(code: string, language: string | null, isLive: boolean): HighlightedCode | null {
  const [highlighted, setHighlighted] = useState(() => cachedHighlight(code, language))
  const isDone = highlighted?.code === code

  // A layout effect, so that short code is not painted without colours once its language is loaded.
  useLayoutEffect(() => {
    if (!language || isLive || isDone || code.length > HIGHLIGHT_LIMIT) return
    const found = cachedHighlight(code, language)
    if (found) return setHighlighted(found)
    return highlightLater(code, language, (tokens) => {
      cacheTokens(code, language, tokens)
      const show = () => setHighlighted({ code, tokens })
      if (code.length <= SHORT_CODE_LIMIT) show()
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
    return highlightPeriodically(language, () => latest.current, setHighlighted)
  }, [language, isLive])

  return highlighted && code.startsWith(highlighted.code) ? highlighted : null
}

function cachedHighlight(code: string, language: string | null): HighlightedCode | null {
  const tokens = language && cachedTokens(code, language)
  return tokens ? { code, tokens } : null
}

function highlightPeriodically(
  language: string,
  read: () => string,
  show: (highlighted: HighlightedCode) => void,
): () => void {
  let done = ''
  let cancel: (() => void) | null = null
  let timer = setTimeout(tick, PAUSE_MS)

  function tick() {
    const code = read().slice(0, read().lastIndexOf('\n') + 1)
    if (code.length > LIVE_LIMIT) return
    if (code === done) {
      timer = setTimeout(tick, PAUSE_MS)
      return
    }
    cancel = highlightLater(code, language, (tokens, ms) => {
      done = code
      startTransition(() => show({ code, tokens }))
      timer = setTimeout(tick, Math.max(PAUSE_MS, ms * PAUSE_PER_MS))
    })
  }

  return () => {
    clearTimeout(timer)
    cancel?.()
  }
}
