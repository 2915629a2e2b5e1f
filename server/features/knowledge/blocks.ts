import { valueAcross } from '#contract/personal-data.ts'

/** A smaller level is a higher heading. */
export interface Heading {
  level: number
  title: string
}

/** The smallest part of a text, which is not cut: a heading, a table row, a few sentences. */
export interface Unit {
  start: number
  /** The start of the next unit: units cover the text without gaps. */
  end: number
  kind: 'heading' | 'row' | 'text'
  /** The headings above, its own included. */
  above: Heading[]
  /** The header of the table, for every row but the first. */
  header: string | null
}

/** Longer paragraphs are split at sentences, so that passages have similar sizes. */
const MAX_UNIT = 600
const MAX_ROW = 4000
const MAX_HEADER = 600
/** A block with more lines is taken in parts. */
const MAX_LINES = 500

interface Line {
  start: number
  text: string
}

/** Splits a text by its structure, in order and without gaps. */
export function* unitsOf(content: string): Generator<Unit> {
  let last: Omit<Unit, 'end'> | null = null
  for (const unit of startsOf(content)) {
    if (last) yield { ...last, end: unit.start }
    last = { ...unit, start: last ? unit.start : 0 }
  }
  if (last) yield { ...last, end: content.length }
}

function* startsOf(content: string): Generator<Omit<Unit, 'end'>> {
  let above: Heading[] = []
  let block: Line[] = []
  let table: string | null = null
  let isCode = false
  let before = ''
  for (const { line, after } of linesOf(content)) {
    if (/^\s*(```|~~~)/.test(line.text)) isCode = !isCode
    const heading = isCode ? null : headingOf(line.text, before, after)
    before = line.text
    const isText = !heading && line.text.trim() !== ''
    if (isText) block.push(line)
    if (isText && block.length < MAX_LINES) continue
    table ??= headerOf(block)
    for (const unit of unitsOfBlock(block, table)) yield { ...unit, above }
    block = []
    if (isText) continue
    table = null
    if (!heading) continue
    above = underHeading(above, heading)
    yield { start: line.start, kind: 'heading', above, header: null }
  }
  for (const unit of unitsOfBlock(block, table ?? headerOf(block))) yield { ...unit, above }
}

/** The lines one by one, because a list of all of them takes a second for a long file. */
function* linesOf(content: string): Generator<{ line: Line; after: string }> {
  let line: Line | null = null
  for (let start = 0; start <= content.length; ) {
    const found = content.indexOf('\n', start)
    const end = found < 0 ? content.length : found
    const next = { start, text: content.slice(start, end) }
    if (line) yield { line, after: next.text }
    line = next
    start = end + 1
    // Of many empty lines two are enough.
    if (next.text === '') while (content[start] === '\n' && content[start + 1] === '\n') start += 1
  }
  if (line) yield { line, after: '' }
}

type BlockUnit = Pick<Unit, 'start' | 'kind' | 'header'>

function headerOf(block: Line[]): string | null {
  const isRow = ({ text }: Line) => text.includes('\t') || /^\s*\|.*\|$/.test(text)
  if (block.length === 0 || block.filter(isRow).length * 2 < block.length) return null
  const [first, second] = block
  return isRule(second) ? `${first?.text}\n${second?.text}` : (first?.text ?? '')
}

const isRule = (line: Line | undefined) => /^\s*\|[\s:|-]+\|$/.test(line?.text ?? '')

function* unitsOfBlock(block: Line[], table: string | null): Generator<BlockUnit> {
  if (table !== null) return yield* rowsOf(block, table)
  let last = Number.NEGATIVE_INFINITY
  for (const [n, line] of block.entries()) {
    // Short lines of one sentence form one unit.
    const isSame = continues(block[n - 1]?.text ?? '.', line.text) && line.start + line.text.length - last <= MAX_UNIT
    for (const start of sentencesOf(line)) {
      if (isSame && start === line.start) continue
      last = start
      yield { start, kind: 'text', header: null }
    }
  }
}

/** Whether a line continues the sentence above: text of a PDF has lines, not paragraphs. */
const continues = (above: string, line: string) => !/[.!?…:;]["»)]?$/.test(above) && /^[\p{Ll}\p{N}(«]/u.test(line)

function* rowsOf(block: Line[], header: string): Generator<BlockUnit> {
  for (const { start, text } of block) {
    const isHead = header === text || header.startsWith(`${text}\n`) || header.endsWith(`\n${text}`)
    const own = isHead || header.length > MAX_HEADER ? null : header
    for (const at of splitLong(text, MAX_ROW, (window) => window.lastIndexOf('\t') + 1))
      yield { start: start + at, kind: 'row', header: own }
  }
}

function* sentencesOf({ start, text }: Line): Generator<number> {
  for (const at of splitLong(text, MAX_UNIT, lastSentence)) yield start + at
}

const SENTENCE = /[.!?…;]["»)]?\s+(?=[\p{Lu}\p{N}«"(—-])/gu

function lastSentence(text: string): number {
  const last = [...text.matchAll(SENTENCE)].at(-1)
  return last ? last.index + last[0].length : 0
}

/**
 * Offsets of parts of at most `most` symbols: after the last break, else after a space, else inside a word. Half a phone
 * number could not be hidden from a model, so a part ends before a value.
 */
function* splitLong(text: string, most: number, lastBreak: (window: string) => number): Generator<number> {
  yield 0
  for (let from = 0; text.length - from > most; ) {
    const window = text.slice(from, from + most)
    const space = window.lastIndexOf(' ')
    const end = lastBreak(window) || (space > most / 2 ? space + 1 : most)
    const value = valueAcross(text, from + end)
    const at = value && value.start > from ? value.start - from : end
    // Not inside a surrogate pair.
    from += at - (/[\ud800-\udbff]$/.test(window.slice(at - 1, at)) ? 1 : 0)
    yield from
  }
}

const MAX_TITLE = 120
const markdown = /^(#{1,6})\s+(.+?)\s*#*$/
const named = /^(глава|раздел|часть|приложение|статья|параграф|§)\s*№?\s*([\dIVXLC]+(?:\.\d+)*|[А-ЯЁ](?![а-яё]))/iu
const numbered = /^(\d{1,3}(?:\.\d{1,3}){0,3})[.)]?\s+(\p{Lu}.*)$/u
const levels: Record<string, number> = { глава: 1, раздел: 1, часть: 1, приложение: 1 }

/**
 * Recognises a heading. `before` and `after` are the neighbouring lines: a numbered line alone is a heading, and one
 * that another of its kind follows is an item of a list.
 */
export function headingOf(line: string, before: string, after: string): Heading | null {
  const text = line.trim()
  if (text === '' || text.length > MAX_TITLE || text.includes('\t')) return null
  const marked = markdown.exec(text)
  if (marked) return { level: marked[1]?.length ?? 1, title: stripMarkup(marked[2] ?? '') }
  if (/[,;:]$/.test(text)) return null
  const word = named.exec(text)
  if (word && !/[.!?]$/.test(text.replace(/^\S+\s+\S+$/, ''))) {
    return { level: levels[(word[1] ?? '').toLowerCase()] ?? 2, title: text }
  }
  const number = numbered.exec(text)
  if (number) return isAlone(number, before, after) ? { level: 1 + depth(number[1] ?? ''), title: text } : null
  return isUpperCase(text) ? { level: 1, title: text } : null
}

const depth = (number: string) => number.split('.').length

function isAlone([, number = '', title = '']: RegExpExecArray, before: string, after: string): boolean {
  if (/[.!?…]$/.test(title) || title.length > 90) return false
  const next = numbered.exec(after.trim())
  const isList = next !== null && depth(next[1] ?? '') === depth(number)
  return !isList && (before.trim() === '' || number.includes('.'))
}

/** All in capitals, and too long for an abbreviation. */
function isUpperCase(text: string): boolean {
  const characters = text.match(/\p{L}/gu) ?? []
  return characters.length >= 6 && characters.length > text.length / 2 && text === text.toUpperCase()
}

const stripMarkup = (title: string) => title.replace(/[*_`]+/g, '').trim()

/** The path of headings after this one: it replaces those of its level and below. */
function underHeading(above: Heading[], heading: Heading): Heading[] {
  return [...above.filter(({ level }) => level < heading.level), heading]
}
