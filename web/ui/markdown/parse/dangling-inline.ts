import { isDollarFormula, isFormula, isParenFormula, isTightTex } from '#contract/markdown/math-or-money.ts'

/** Marks a formula that is still being written, so that its source is shown instead of half a formula. */
export const PENDING = '\uE000'

interface Scan {
  text: string
  at: number
  /** Emphasis markers that are not closed yet, outermost first. */
  open: readonly string[]
  /** What closes the code span or formula that is open at the end; set, it ends the scan. */
  closer: string | null
}

const SIGN = /[\\`$![*_~<]/g

/** Closes emphasis, code, formulas and links in the text of one paragraph; see `closeDangling`. */
export function closeInline(source: string): string {
  let scan: Scan = { text: source, at: nextSign(source, 0), open: [], closer: null }
  while (scan.at < scan.text.length && scan.closer === null) {
    const { at, ...rest } = { ...scan, ...readSign(scan) }
    scan = { ...rest, at: nextSign(rest.text, at) }
  }
  const { text, open, closer } = scan
  if (closer === null && open.length === 0) return text
  return text.trimEnd() + (closer ?? '') + open.toReversed().join('')
}

/** The next character that may mean something to Markdown; the text between is skipped. */
function nextSign(text: string, from: number): number {
  SIGN.lastIndex = from
  return SIGN.exec(text)?.index ?? text.length
}

function readSign(scan: Scan): Partial<Scan> {
  switch (scan.text[scan.at]) {
    case '\\':
      return readBackslash(scan)
    case '`':
      return readCode(scan)
    case '$':
      return readDollars(scan)
    case '<':
      return readTag(scan)
    case '!':
    case '[':
      return readBracket(scan)
    default:
      return readMarkers(scan)
  }
}

/** Drops everything from the current position on. */
const cut = ({ text, at }: Scan): Partial<Scan> => ({ text: text.slice(0, at) })

function readBackslash(scan: Scan): Partial<Scan> {
  const { text, at } = scan
  const bracket = text[at + 1]
  if (bracket === undefined) return cut(scan)
  if (bracket !== '(' && bracket !== '[') return { at: at + 2 }
  const closer = bracket === '(' ? '\\)' : '\\]'
  const end = text.indexOf(closer, at + 2)
  return end >= 0 ? { at: end + 2 } : closeFormula(scan, at + 2, closer)
}

/** Half a tag at the end is left out; an index that is open is closed. */
function readTag(scan: Scan): Partial<Scan> {
  const { text, at, open } = scan
  if (/^<(?:b(?:r[ \t]*\/?)?|\/?(?:s(?:u[bp]?)?)?|su[bp]>)$/i.test(text.slice(at, at + 8))) return cut(scan)
  const [tag = '', slash, name] = /^<(\/?)(su[bp])>/i.exec(text.slice(at, at + 6)) ?? []
  if (slash === undefined) return { at: at + 1 }
  const next = { at: at + tag.length }
  if (slash === '') return { ...next, open: [...open, `</${name}>`] }
  const depth = open.lastIndexOf(`</${name}>`)
  return depth < 0 ? next : { ...next, open: open.slice(0, depth) }
}

/** So few characters after a dollar do not show yet whether it begins a formula. */
const UNDECIDED = /^[a-zA-Z(]{0,2}$/

function readDollars(scan: Scan): Partial<Scan> {
  const { text, at } = scan
  const size = text[at + 1] === '$' ? 2 : 1
  const from = at + size
  const before = text[at - 1] ?? ''
  const end = text.indexOf('$', from)
  if (end >= 0) {
    const content = text.slice(from, end)
    const isWhole = size === 2 ? isFormula(content) : isDollarFormula({ before, content, after: text[end + 1] ?? '' })
    return { at: isWhole ? end + size : from }
  }
  const content = text.slice(from)
  if (content === '') return cut(scan)
  const isWordBefore = /[\p{L}\p{N}]/u.test(before)
  const isOpener = size === 2 || (isWordBefore ? isTightTex(`${content}^`) : !/^\s/.test(content))
  if (isOpener && /[\\^_{}]/.test(content)) return closeFormula(scan, from, '$'.repeat(size))
  return !isWordBefore && UNDECIDED.test(content) ? cut(scan) : { at: from }
}

function closeFormula(scan: Scan, from: number, closer: string): Partial<Scan> {
  const content = scan.text.slice(from)
  if (content.trim() === '' || content === '\\') return cut(scan)
  if (closer.startsWith('\\') && !isParenFormula(content)) return content.length < 4 ? cut(scan) : { at: from }
  // A backslash at the end would escape the closing delimiter.
  return { text: scan.text.replace(/\\$/, ''), closer: PENDING + closer }
}

function readCode(scan: Scan): Partial<Scan> {
  const { text, at } = scan
  const size = runLength(text, at)
  for (let i = at + size; i < text.length; i += 1) {
    if (text[i] !== '`') continue
    const closing = runLength(text, i)
    if (closing === size) return { at: i + size }
    i += closing - 1
  }
  const content = text.slice(at + size).replace(/`+$/, '')
  if (content.trim() === '') return cut(scan)
  return { text: text.slice(0, at + size) + content, closer: '`'.repeat(size) }
}

const NAME = /^[^\n]{0,120}$/
const ADDRESS = /^[^\s]*(?:[ \t]+["'(][^\n]*)?$/

/** A name begins with a word: «[1, 2», «[-1;» and «[x, y» are shown as they are written. */
const MAY_BE_NAME = /^[*_`~«"“'#@/.]*(?:\d+[ .–-]+)?\p{L}{2}/u
const MAY_BEGIN_NAME = /^[*_`~«"“'#@/.]*\p{L}?$/u
const MAY_CITE = /^\d[\d, ]{0,7}$/
const MAY_BE_NOTE = /^\[![A-Z]{0,9}\]?$/i

/** `[name](address)`: until the address is complete, a link is shown as its name and an image not at all. */
function readBracket(scan: Scan): Partial<Scan> {
  const { text, at } = scan
  const isImage = text[at] === '!'
  if (isImage && text[at + 1] !== '[') return { at: at + 1 }
  const from = at + (isImage ? 2 : 1)
  const end = closingAt(text, from, '[', ']')
  const leaveOut = (to: number) => (isImage || text[from] === '^' ? cut(scan) : showName(text, from, to))
  if (end < 0) return readOpenName(scan, from, isImage, () => leaveOut(text.length))
  const next = text[end + 1]
  if (next === '(' || next === '[') {
    const close = closingAt(text, end + 2, next, next === '(' ? ')' : ']')
    if (close >= 0) return { at: close + 1 }
    return ADDRESS.test(text.slice(end + 2)) ? leaveOut(end) : { at: from }
  }
  const isName = isImage || (MAY_BE_NAME.test(text.slice(from, end)) && !isIndexed(text, at))
  return next === undefined && isName ? leaveOut(end) : { at: end + 1 }
}

function readOpenName(scan: Scan, from: number, isImage: boolean, leaveOut: () => Partial<Scan>): Partial<Scan> {
  const { text, at } = scan
  const name = text.slice(from)
  if (!NAME.test(name)) return { at: from }
  if (isImage || name === '' || name.startsWith('^')) return leaveOut()
  if (at === 0 && MAY_BE_NOTE.test(text)) return cut(scan)
  if (/=\s*$/.test(text.slice(Math.max(0, at - 3), at))) return { at: from }
  if (MAY_CITE.test(name)) return cut(scan)
  if (isIndexed(text, at)) return { at: from }
  if (MAY_BEGIN_NAME.test(name)) return cut(scan)
  return MAY_BE_NAME.test(name) ? leaveOut() : { at: from }
}

/** `list[i]` and `x = [a` are code, not links. */
const isIndexed = (text: string, at: number) => /(?:[\p{L}\p{N}_]|=\s?)$/u.test(text.slice(Math.max(0, at - 2), at))

const showName = (text: string, from: number, to: number): Partial<Scan> => ({
  text: text.slice(0, from - 1) + text.slice(from, to),
})

/** The bracket that closes a nested pair, or -1. */
function closingAt(text: string, from: number, open: string, close: string): number {
  let depth = 0
  for (let i = from; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1
    else if (text[i] === open) depth += 1
    else if (text[i] === close && depth === 0) return i
    else if (text[i] === close) depth -= 1
  }
  return -1
}

/** What closes «** текст», which has a space inside of its markers. */
const SPACED = ' **'

function readMarkers(scan: Scan): Partial<Scan> {
  const { text, at, open } = scan
  const sign = text[at] ?? ''
  const size = runLength(text, at)
  const marker = sign.repeat(size)
  const [before, after] = [text[at - 1] ?? '\n', text[at + size]]
  const next = { at: at + size }
  const depth = open.lastIndexOf(/\s/.test(before) ? ` ${marker}` : marker)
  if (depth >= 0) return { ...next, open: open.slice(0, depth) }
  if (!/\s/.test(before)) {
    const inner = open.at(-1)
    if (inner?.startsWith(sign)) return after === undefined && size < inner.length ? cut(scan) : next
  }
  if (after === undefined) return cut(scan)
  if (marker === '**' && before === '\n' && after === ' ')
    return /^\s*$/.test(text.slice(at + size)) ? cut(scan) : { ...next, open: [...open, SPACED] }
  return opens(sign, size, before, after) ? { ...next, open: [...open, marker] } : next
}

/** Whether a run of markers may open emphasis; stricter than the parser, so that `2 * 3` and `snake_case` stay text. */
function opens(sign: string, size: number, before: string, after: string): boolean {
  if (/\s/.test(after) || size > 3) return false
  if (sign === '~') return size === 2
  return (sign === '*' && size === 2) || !/[\p{L}\p{N}_*]/u.test(before)
}

function runLength(text: string, at: number): number {
  let end = at
  while (text[end] === text[at]) end += 1
  return end - at
}
