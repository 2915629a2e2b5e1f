import { latePart } from '../late-part.ts'
import type { Token } from './tokens.ts'

/** Longer code stays without colours: they would hold the page up. */
export const LIMIT = 30_000

/** How many characters of coloured code are kept, so that none is coloured twice. */
const CACHE_LIMIT = 300_000

const engine = latePart(() => import('./highlight-engine.ts'))
const kept = new Map<string, Token[]>()
let size = 0

/** The tokens of code that was coloured before. */
export function knownTokens(code: string, language: string): Token[] | null {
  return kept.get(`${language}\n${code}`) ?? null
}

export function keepTokens(code: string, language: string, tokens: Token[]): void {
  kept.set(`${language}\n${code}`, tokens)
  size += code.length
  for (const [key] of kept) {
    if (size <= CACHE_LIMIT) break
    kept.delete(key)
    size -= key.length
  }
}

/** Colours code when the page has nothing better to do. Without a connection it stays plain. Returns how to call it off. */
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

/** One piece of work in each idle moment. */
function whenIdle(work: () => void): void {
  waiting.push(work)
  if (waiting.length === 1) nextIdle()
}

function nextIdle(): void {
  // Safari does not tell when it is idle.
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
