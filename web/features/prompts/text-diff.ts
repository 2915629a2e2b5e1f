import { diffArrays } from 'diff/lib/diff/array.js'

export interface DiffPart {
  type: 'same' | 'added' | 'removed'
  text: string
}

/** The limit of changed words. The time is quadratic: five hundred take about 50 ms. */
const MAX_EDITS = 500

/** Compares two texts by words. Same and removed parts make up the old text, same and added parts the new one. */
export function diffText(before: string, after: string): DiffPart[] {
  const [old, now] = [wordsIn(before), wordsIn(after)]
  const changes = diffArrays(old, now, { maxEditLength: MAX_EDITS })
  if (!changes) return diffEnds(old, now)
  return changes.map(({ added, removed, value }) => partOf(added ? 'added' : removed ? 'removed' : 'same', value))
}

/** The library's word splitter knows only Latin and cuts Russian words into single characters. */
const wordsIn = (text: string) => text.match(/\n|[^\S\n]+|[\p{L}\p{N}]+|./gsu) ?? []

const partOf = (type: DiffPart['type'], words: readonly string[]): DiffPart => ({ type, text: words.join('') })

/** Keeps the common beginning and end and shows everything between them as replaced. */
function diffEnds(old: readonly string[], now: readonly string[]): DiffPart[] {
  const head = commonLength(old, now)
  const tail = commonLength(old.slice(head).toReversed(), now.slice(head).toReversed())
  const parts = [
    partOf('same', old.slice(0, head)),
    partOf('removed', old.slice(head, old.length - tail)),
    partOf('added', now.slice(head, now.length - tail)),
    partOf('same', old.slice(old.length - tail)),
  ]
  return parts.filter(({ text }) => text !== '')
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}
