/** Letters that are written one for the other because they sound alike. */
const alike = ['оа', 'еи', 'еэ', 'иы', 'йи', 'шщ', 'жш', 'зс', 'дт', 'бп', 'гк', 'вф', 'цс', 'ую', 'ая', 'ое']
const soundAlike = new Set(alike.flatMap(([a = '', b = '']) => [a + b, b + a]))

const MAX_FIXES = 4

/** How far a word may be from the one that was meant: one slip, in a long word two. */
const allowed = (word: string) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/** Known words that were probably meant, the nearest ones only. `begins` allows for a word not yet typed to its end. */
export function fixesOf(word: string, known: string[], begins: boolean): string[] {
  let best = allowed(word)
  let fixes: string[] = []
  if (best === 0) return []
  for (const candidate of known) {
    if (candidate.length < word.length - best || (!begins && candidate.length > word.length + best)) continue
    if (missing(word, candidate) > best * 2) continue
    const far = begins
      ? Math.min(slips(word, candidate, best), slips(word, candidate.slice(0, word.length), best))
      : slips(word, candidate, best)
    if (far < best) [best, fixes] = [far, []]
    if (far === best) fixes.push(candidate)
  }
  return fixes.slice(0, MAX_FIXES)
}

/** Letters of a word that the other has nowhere: tells most pairs apart without counting slips. */
function missing(word: string, other: string): number {
  let count = 0
  for (const email of word) if (!other.includes(email)) count++
  return count
}

/** Letters lost, added, replaced or swapped; one that sounds alike counts half. Anything over `limit` is infinite. */
export function slips(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) next.push(cheapest(a, b, i, j, { before, row, next }))
    if (Math.min(...next) > limit) return Number.POSITIVE_INFINITY
    ;[before, row] = [row, next]
  }
  const total = row[b.length] ?? 0
  return total > limit ? Number.POSITIVE_INFINITY : total
}

interface Rows {
  before: number[]
  row: number[]
  next: number[]
}

function cheapest(a: string, b: string, i: number, j: number, { before, row, next }: Rows): number {
  const [left, right] = [a.charAt(i - 1), b.charAt(j - 1)]
  const replaced = left === right ? 0 : soundAlike.has(left + right) ? 0.5 : 1
  const swapped = i > 1 && j > 1 && left === b.charAt(j - 2) && a.charAt(i - 2) === right
  return Math.min(
    (row[j] ?? 0) + 1,
    (next[j - 1] ?? 0) + 1,
    (row[j - 1] ?? 0) + replaced,
    swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
  )
}
