import { lazy } from '#web/lib/lazy.tsx'
import { bytesOf, createTextCache } from '../text-cache.ts'
import type { Token } from './tokens.ts'

/** Longer code stays without colours: tokenizing it would block the page. */
export const HIGHLIGHT_LIMIT = 30_000

const engine = lazy(() => import('./highlight-engine.ts'))

/** The same code is not tokenized twice. */
const tokenized = createTextCache<Token[]>({ maxBytes: 6_000_000, weigh: bytesOfTokens })
/** An object with two fields, and its part of the code. */
const TOKEN_BYTES = 60
function bytesOfTokens(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { text }) => sum + TOKEN_BYTES + bytesOf(text), 0)
}

const keyOf = (code: string, language: string) => `${language}\n${code}`

export const cachedTokens = (code: string, language: string): Token[] | null =>
  tokenized.get(keyOf(code, language)) ?? null

export const cacheTokens = (code: string, language: string, tokens: Token[]): void =>
  tokenized.set(keyOf(code, language), tokens)

/** Code up to this length is tokenized and shown at once, while the frame has time left. */
export const SHORT_CODE_LIMIT = 4000
const FRAME_MS = 8

/** Starts loading a language before its first code is complete. */
export function prepareHighlight(language: string): void {
  engine.load().then(
    ({ loadLanguage }) => loadLanguage(language),
    () => undefined,
  )
}

/** Tokenizes short code at once, other code when the page is idle; offline it stays plain. The result cancels it. */
export function highlightLater(
  code: string,
  language: string,
  show: (tokens: Token[], ms: number) => void,
): () => void {
  let isOff = false
  async function run() {
    const { loadLanguage, tokenize } = await engine.load()
    await loadLanguage(language)
    const isNow = code.length <= SHORT_CODE_LIMIT && spent < FRAME_MS && waiting.length === 0
    const later = isNow ? inThisFrame : whenIdle
    later(() => {
      if (isOff) return
      const start = performance.now()
      const tokens = tokenize(code, language)
      show(tokens, performance.now() - start)
    })
  }
  run().catch(() => undefined)
  return () => {
    isOff = true
  }
}

let spent = 0

/** Counts the time of a frame, so that a page full of code stays responsive. */
function inThisFrame(work: () => void): void {
  if (spent === 0) setTimeout(() => (spent = 0), 16)
  const start = performance.now()
  work()
  spent += Math.max(performance.now() - start, 0.01)
}

const waiting: (() => void)[] = []

/** Runs one task per idle period. */
function whenIdle(work: () => void): void {
  waiting.push(work)
  if (waiting.length === 1) nextIdle()
}

function nextIdle(): void {
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(runOne, { timeout: 1000 })
  else setTimeout(runOne, 30)
}

function runOne(): void {
  try {
    waiting[0]?.()
  } finally {
    waiting.shift()
    if (waiting.length > 0) nextIdle()
  }
}
