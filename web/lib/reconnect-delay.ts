const FIRST_MS = 1000
const MAX_MS = 30_000

/** One second first, then doubling up to 30 s, with jitter so that clients do not reconnect together. */
export function reconnectDelay(attempt: number, random: () => number = Math.random): number {
  if (attempt === 0) return FIRST_MS
  const longest = Math.min(FIRST_MS * 2 ** attempt, MAX_MS)
  return longest / 2 + (longest / 2) * random()
}
