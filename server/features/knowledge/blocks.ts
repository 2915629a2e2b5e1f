import { type Heading, headingOf, underHeading } from './headings.ts'

/** The smallest part of a text that is never cut: a heading, a row of a table, a few sentences. */
export interface Unit {
  start: number
  /** Up to the start of the next, so that units together are the whole text. */
  end: number
  kind: 'heading' | 'row' | 'text'
  /** The headings above, its own included. */
  above: Heading[]
  /** What stands over the columns, for every row but the first. */
  header: string | null
}

/** Longer paragraphs are taken apart by sentences, so that chunks come out even. */
const MAX_UNIT = 600
/** A row may be so long; a longer one is no row that somebody reads. */
const MAX_ROW = 4000
const MAX_HEADER = 600

interface Line {
  start: number
  text: string
}

/** Takes a text apart by its structure, step by step; the order is kept, and nothing is left out. */
export function* unitsOf(content: string): Generator<Unit> {
  let last: Omit<Unit, 'end'> | null = null
  for (const unit of startsOf(content)) {
    if (last) yield { ...last, end: unit.start }
    last = { ...unit, start: last ? unit.start : 0 }
  }
  if (last) yield { ...last, end: content.length }
}

function* startsOf(content: string): Generator<Omit<Unit, 'end'>> {
  const lines = linesOf(content)
  let above: Heading[] = []
  let block: Line[] = []
  let isCode = false
  for (const [n, line] of lines.entries()) {
    if (/^\s*(```|~~~)/.test(line.text)) isCode = !isCode
    const heading = isCode ? null : headingOf(line.text, lines[n - 1]?.text ?? '', lines[n + 1]?.text ?? '')
    if (!heading && line.text.trim() !== '') {
      block.push(line)
      continue
    }
    for (const unit of unitsOfBlock(block)) yield { ...unit, above }
    block = []
    if (!heading) continue
    above = underHeading(above, heading)
    yield { start: line.start, kind: 'heading', above, header: null }
  }
  for (const unit of unitsOfBlock(block)) yield { ...unit, above }
}

function linesOf(content: string): Line[] {
  let start = 0
  return content.split('\n').map((text) => {
    const line = { start, text }
    start += text.length + 1
    return line
  })
}

type BlockUnit = Pick<Unit, 'start' | 'kind' | 'header'>

function unitsOfBlock(block: Line[]): BlockUnit[] {
  const isRow = ({ text }: Line) => text.includes('\t') || /^\s*\|.*\|$/.test(text)
  if (block.length > 0 && block.filter(isRow).length * 2 >= block.length) return rowsOf(block)
  const starts: number[] = []
  block.forEach((line, n) => {
    const [first = line.start, ...rest] = sentencesOf(line)
    const last = starts.at(-1) ?? Number.NEGATIVE_INFINITY
    // Lines of one sentence stay together as long as they are short.
    const isSame = continues(block[n - 1]?.text ?? '.', line.text) && line.start + line.text.length - last <= MAX_UNIT
    if (!isSame) starts.push(first)
    starts.push(...rest)
  })
  return starts.map((start) => ({ start, kind: 'text', header: null }))
}

/** Whether a line goes on with the sentence of the line above: pages of a PDF are lines, not paragraphs. */
const continues = (above: string, line: string) => !/[.!?…:;]["»)]?$/.test(above) && /^[\p{Ll}\p{N}(«]/u.test(line)

function rowsOf(block: Line[]): BlockUnit[] {
  const [first, second] = block
  const isRuled = /^\s*\|[\s:|-]+\|$/.test(second?.text ?? '')
  const header = isRuled ? `${first?.text}\n${second?.text}` : (first?.text ?? '')
  return block.flatMap(({ start, text }, n) => {
    const own = n <= (isRuled ? 1 : 0) || header.length > MAX_HEADER ? null : header
    return pieces(text, MAX_ROW, /\t/g).map((at) => ({ start: start + at, kind: 'row' as const, header: own }))
  })
}

function sentencesOf({ start, text }: Line): number[] {
  if (text.length <= MAX_UNIT) return [start]
  return pieces(text, MAX_UNIT, /[.!?…;]["»)]?\s+(?=[\p{Lu}\p{N}«"(—-])/gu).map((at) => start + at)
}

/** Where pieces of at most `most` begin: after the last break that fits, or a space, or in the middle of a word. */
function pieces(text: string, most: number, breaks: RegExp): number[] {
  const starts = [0]
  let from = 0
  while (text.length - from > most) {
    const window = text.slice(from, from + most)
    const fitting = [...window.matchAll(breaks)].at(-1)
    const space = window.lastIndexOf(' ')
    const at = fitting ? fitting.index + fitting[0].length : space > most / 2 ? space + 1 : most
    // Never through a letter that takes two units.
    from += at - (/[\ud800-\udbff]$/.test(window.slice(0, at)) ? 1 : 0)
    starts.push(from)
  }
  return starts
}
