/** Decides whether a word that a line end has cut has a hyphen of its own. */
export type WordRule = (before: string, after: string) => boolean

const TAIL = /(\p{L}+)[-\u2010\u00ad\u00ac]$/u
const HEAD = /^(\p{Ll}+)(\S*)\s*/u

/** Parts that are written with a hyphen wherever the line ends: «кто-то», «по-русски», «кое-где». */
const particles = new Set(['то', 'либо', 'нибудь', 'таки', 'ка', 'де', 'тка'])
const prefixes = new Set([
  'кое',
  'кой',
  'экс',
  'вице',
  'обер',
  'унтер',
  'штабс',
  'пол',
  'интернет',
  'онлайн',
  'веб',
  'пресс',
  'non',
  'self',
  'ex',
  'co',
])

/** Words of the document decide: the one that stands whole elsewhere is meant. Otherwise the hyphen is of the line end. */
export function wordRule(lines: Iterable<string>): WordRule {
  const [whole, hyphened] = [new Set<string>(), new Set<string>()]
  for (const line of lines) {
    for (const [word] of line.matchAll(/\p{L}+(?:[-\u2010]\p{L}+)*/gu)) {
      const key = word.toLowerCase().replaceAll('\u2010', '-')
      if (key.includes('-')) hyphened.add(key)
      else if (key.length > 3) whole.add(key)
    }
  }
  return (before, after) => {
    const [left, right] = [before.toLowerCase(), after.toLowerCase()]
    if (hyphened.has(`${left}-${right}`)) return true
    if (whole.has(left + right)) return false
    if (particles.has(right) || prefixes.has(left)) return true
    return (
      (left === 'по' && /(?:ски|цки|ому|ему|ьи)$/.test(right)) ||
      (left.endsWith('о') && left.length > 4 && whole.has(left) && whole.has(right))
    )
  }
}

/** Lines whose cut words are whole again: the rest of such a word moves up to its beginning. */
export function joinWords(lines: readonly string[], isHyphened: WordRule): string[] {
  const joined: string[] = []
  for (const line of lines) {
    const before = joined.at(-1)
    const moved = before === undefined ? null : wholeWord(before, line, isHyphened)
    if (!moved) joined.push(line)
    else {
      joined[joined.length - 1] = moved.line
      if (moved.rest !== '') joined.push(moved.rest)
    }
  }
  return joined
}

/** The line with its last word whole, and what is left of the next line; null if no word is cut. */
export function wholeWord(line: string, next: string, isHyphened: WordRule): { line: string; rest: string } | null {
  const [tail, head] = [TAIL.exec(line.slice(-60)), HEAD.exec(next.slice(0, 100))]
  if (!tail?.[1] || !head?.[1]) return null
  const isSoft = line.endsWith('\u00ad')
  const keeps = !isSoft && isHyphened(tail[1], head[1])
  const begin = keeps ? line.replace(/[\u2010\u00ac]$/, '-') : line.slice(0, -1)
  return { line: begin + head[1] + (head[2] ?? ''), rest: next.slice(head[0].length) }
}
