import { latePart } from '../late-part.ts'
import type { Token } from './tokens.ts'

/** Longer code stays without colours: tokenizing it would block the page. */
export const LIMIT = 30_000

/** How many characters of code stay tokenized, so that the same code is not tokenized twice. */
const CACHE_LIMIT = 300_000

const engine = latePart(() => import('./highlight-engine.ts'))
const tokenized = new Map<string, Token[]>()
let size = 0

/** The tokens of code that was tokenized before. */
export function knownTokens(code: string, language: string): Token[] | null {
  return tokenized.get(`${language}\n${code}`) ?? null
}

export function cacheTokens(code: string, language: string, tokens: Token[]): void {
  tokenized.set(`${language}\n${code}`, tokens)
  size += code.length
  for (const [key] of tokenized) {
    if (size <= CACHE_LIMIT) break
    tokenized.delete(key)
    size -= key.length
  }
}

/** Tokenizes code when the page is idle. Without a connection it stays plain. Returns a cancel function. */
export function highlightLater(
  code: string,
  language: string,
  show: (tokens: Token[], ms: number) => void,
): () => void {
  let isOff = false
  async function run() {
    const { loadLanguage, tokenize } = await engine.load()
    await loadLanguage(language)
    whenIdle(() => {
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
