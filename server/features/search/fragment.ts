import type { SearchMatch } from '#contract/threads.ts'
import { fold } from './words.ts'

type Fragment = SearchMatch['fragment'][number]

export interface Span {
  start: number
  end: number
  word: string
}

const SIZE = 160
/** How much is shown before the first found word. */
const LEAD = 50
/** How far the edge of a fragment may move to a space. */
const SLACK = 20
/** Of a text with more only the beginning is marked. */
const MAX_SPANS = 5000

export function wordsBeginning(text: string, characters: Iterable<string>): Span[] {
  const first = [...new Set(characters)].map((each) => (each === 'е' ? 'её' : each)).join('')
  if (first === '') return []
  const words = text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}\\p{M}])[${first}][\\p{L}\\p{N}\\p{M}]*`, 'giu'))
  return [...firstOf(words)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    word: fold(word.normalize('NFC')),
  }))
}

function* firstOf<Item>(items: Iterable<Item>): Generator<Item> {
  let left = MAX_SPANS
  for (const item of items) {
    yield item
    left -= 1
    if (left === 0) return
  }
}

/** All occurrences, ignoring case and «ё». */
export function findSpans(text: string, needle: string): Span[] {
  const [folded, sought] = [fold(text), fold(needle)]
  // A few characters change their length in lower case, then the offsets would be wrong.
  if (folded.length !== text.length || sought === '') return []
  const spans: Span[] = []
  for (let at = folded.indexOf(sought); at !== -1; at = folded.indexOf(sought, at + sought.length)) {
    if (spans.length === MAX_SPANS) break
    spans.push({ start: at, end: at + sought.length, word: sought })
  }
  return spans
}

export function markedText(text: string, hits: Span[]): Fragment[] {
  return cut(text, hits, 0, text.length)
}

/** About two lines of text around the span with the most different words. */
export function fragmentOf(text: string, hits: Span[]): Fragment[] {
  const [first, last] = densest(hits)
  const space = SIZE - ((last?.end ?? 0) - (first?.start ?? 0))
  const start = edge(text, Math.max(0, (first?.start ?? 0) - Math.min(LEAD, Math.max(0, space / 2))), 1)
  const end = Math.max(last?.end ?? 0, edge(text, start + SIZE, -1))
  const [isLate, isCut] = [text.slice(0, start).trim() !== '', text.slice(end).trim() !== '']
  const fragments = cut(text, hits, start, end)
  return [...(isLate ? [{ text: '…', hit: false }] : []), ...fragments, ...(isCut ? [{ text: '…', hit: false }] : [])]
}

/** The first and last of the hits that fit and have the most different words; the earliest of equals. */
function densest(hits: Span[]): [Span | undefined, Span | undefined] {
  let best = { words: 0, first: hits[0], last: hits[0] }
  let from = 0
  for (const [to, last] of hits.entries()) {
    while (last.end - (hits[from]?.start ?? 0) > SIZE - SLACK && from < to) from++
    const words = new Set(hits.slice(from, to + 1).map(({ word }) => word)).size
    if (words > best.words) best = { words, first: hits[from], last }
  }
  return [best.first, best.last]
}

/** The nearest space in the given direction, or the position itself if there is none near. */
function edge(text: string, from: number, step: 1 | -1): number {
  const at = Math.round(from)
  if (at <= 0) return 0
  if (at >= text.length) return text.length
  for (let moved = 0; moved <= SLACK; moved++) {
    const position = at + moved * step
    if (/\s/.test(text.charAt(step === 1 ? position - 1 : position))) return position
  }
  const splitsPair = /[\uDC00-\uDFFF]/.test(text.charAt(at))
  return splitsPair ? at - 1 : at
}

function cut(text: string, hits: Span[], start: number, end: number): Fragment[] {
  const fragments: Fragment[] = []
  let at = start
  for (const hit of hits) {
    if (hit.start < at || hit.end > end) continue
    fragments.push(
      { text: plain(text, at, hit.start), hit: false },
      { text: text.slice(hit.start, hit.end), hit: true },
    )
    at = hit.end
  }
  fragments.push({ text: plain(text, at, end), hit: false })
  return fragments.filter(({ text: part }) => part !== '')
}

/** One line without the Markdown marks of bold text, code and headings. */
function plain(text: string, start: number, end: number): string {
  return text
    .slice(start, end)
    .replace(start === 0 ? /^#{1,6}\s+|(?<=\n)#{1,6}\s+/g : /(?<=\n)#{1,6}\s+/g, '')
    .replace(/\*\*|`+/g, '')
    .replace(/\s+/g, ' ')
}
