export interface DiffPart {
  type: 'same' | 'added' | 'removed'
  text: string
}

/** Beyond this many pairs of words to compare, the changed middle is shown whole. */
const MOST_PAIRS = 2_000_000

/** What became of a text, word by word. The same and the removed parts make the old text, the same and the added the new. */
export function diffText(before: string, after: string): DiffPart[] {
  const [old, now] = [wordsIn(before), wordsIn(after)]
  const head = commonLength(old, now)
  const tail = commonLength(old.slice(head).toReversed(), now.slice(head).toReversed())
  const middle = diffWords(old.slice(head, old.length - tail), now.slice(head, now.length - tail))
  return merged([
    { type: 'same', text: old.slice(0, head).join('') },
    ...middle,
    { type: 'same', text: old.slice(old.length - tail).join('') },
  ])
}

const wordsIn = (text: string) => text.match(/\n|[^\S\n]+|[\p{L}\p{N}]+|./gsu) ?? []

function commonLength(a: string[], b: string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}

function diffWords(old: string[], now: string[]): DiffPart[] {
  if (old.length * now.length > MOST_PAIRS)
    return [
      { type: 'removed', text: old.join('') },
      { type: 'added', text: now.join('') },
    ]
  const lengths = commonLengths(old, now)
  const width = now.length + 1
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0
  const parts: DiffPart[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const [was, is] = [old[i], now[j]]
    if (was !== undefined && was === is) {
      parts.push({ type: 'same', text: was })
      i += 1
      j += 1
    } else if (was !== undefined && (is === undefined || at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ type: 'removed', text: was })
      i += 1
    } else {
      parts.push({ type: 'added', text: is ?? '' })
      j += 1
    }
  }
  return parts
}

/** How much the rests of both have in common, from each pair of places on. */
function commonLengths(old: string[], now: string[]): Uint32Array {
  const width = now.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const [right, below] = [lengths[i * width + j + 1] ?? 0, lengths[(i + 1) * width + j] ?? 0]
      lengths[i * width + j] = old[i] === now[j] ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(right, below)
    }
  }
  return lengths
}

function merged(parts: DiffPart[]): DiffPart[] {
  const result: DiffPart[] = []
  for (const { type, text } of parts) {
    const last = result.at(-1)
    if (text === '') continue
    if (last?.type === type) last.text += text
    else result.push({ type, text })
  }
  return result
}
