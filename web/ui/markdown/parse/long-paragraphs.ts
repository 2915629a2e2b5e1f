import { closesBlock, endsBefore, LEADING, type OpenBlock, opened } from './dangling.ts'

/**
 * The parser takes time for each sign, and for some signs time that grows with their square. A paragraph that no person
 * would write, such as 100,000 brackets, is therefore continued in a new one: the page never stops for it.
 */
const MAX_CHARACTERS = 6000
const MAX_SIGNS = 250
/** How much longer a paragraph gets if there is no space to cut at. */
const EXTRA = 40
/** So many characters of nothing but quotes and bullets are nested deep enough. */
const MAX_MARKERS = 40
const LONGEST_MARKER = '123456789. '.length

const SIGNS = new Set('*_`$<>~![]\\&:@|')
const BEGINS_ITEM = /^[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|\|)/

/** A growing text with its overlong paragraphs cut. What was cut once stays so, however the text goes on. */
export interface CutText {
  raw: string
  text: string
  open: OpenBlock | null
  lineStart: number
  /** Of the paragraph before the current line, and of the current line. */
  above: Count
  line: Count
}

interface Count {
  characters: number
  signs: number
}

const ZERO: Count = { characters: 0, signs: 0 }
export const NO_TEXT: CutText = { raw: '', text: '', open: null, lineStart: 0, above: ZERO, line: ZERO }

/** Costs as much as the new part of the text. */
export function cutLongParagraphs(known: CutText, raw: string): CutText {
  const old = raw.startsWith(known.raw) ? known : NO_TEXT
  const state = { ...old, line: { ...old.line } }
  let from = old.raw.length
  const cutAt = (end: number, gap: string) => {
    state.text += raw.slice(from, end) + gap
    from = end
    state.above = ZERO
    state.line = { ...ZERO }
    state.lineStart = end
  }
  for (let i = from; i < raw.length; i += 1) {
    const sign = raw[i] ?? ''
    if (sign === '\n') endLine(state, raw, i, cutAt)
    else if (!state.open) {
      state.line.characters += 1
      if (SIGNS.has(sign)) state.line.signs += 1
      if (mayCut(state, raw, i, sign)) cutAt(i + 1, '\n\n')
    }
  }
  state.text += raw.slice(from)
  return { ...state, raw }
}

function endLine(state: CutText, raw: string, at: number, cutAt: (end: number, gap: string) => void): void {
  const line = raw.slice(state.lineStart, at)
  if (state.open && endsBefore(line, state.open)) state.open = null
  if (!state.open) state.open = opened(line)
  else if (closesBlock(line, state.open)) state.open = null
  if (line.trim() === '' || state.open) state.above = ZERO
  else if (excessOf(state) >= 0 && !beginsItem(state, line)) cutAt(at + 1, '\n')
  else state.above = sumOf(state)
  state.line = { ...ZERO }
  state.lineStart = at + 1
}

function mayCut(state: CutText, raw: string, at: number, sign: string): boolean {
  const line = () => raw.slice(state.lineStart, at + 1)
  if (state.line.characters === MAX_MARKERS && isAllMarkers(line())) return true
  const excess = excessOf(state)
  if (excess < 0 || beginsItem(state, line())) return false
  return sign === ' ' || (excess > EXTRA && !/[\uD800-\uDBFF]/.test(sign))
}

/** The last marker may be incomplete. */
const isAllMarkers = (line: string) =>
  /\S/.test(line) && (LEADING.exec(line)?.[0].length ?? 0) > MAX_MARKERS - LONGEST_MARKER

/** An item of a list and a row of a table count by themselves. */
function beginsItem(state: CutText, line: string): boolean {
  if (state.above.characters === 0 || !BEGINS_ITEM.test(line)) return false
  state.above = ZERO
  return excessOf(state) < 0
}

const sumOf = ({ above, line }: CutText): Count => ({
  characters: above.characters + line.characters,
  signs: above.signs + line.signs,
})

function excessOf(state: CutText): number {
  const { characters, signs } = sumOf(state)
  return Math.max(characters - MAX_CHARACTERS, signs - MAX_SIGNS)
}
