import iconv from 'iconv-lite'
import { markRaised, type Raised } from './raised.ts'
import { BROKEN, Unreadable } from './rejections.ts'
import { createOutput, type Output } from './rtf/output.ts'
import { charsets, margins, signs, skipped, starredText } from './rtf/words.ts'
import { joinParts, type ReadText, tidy, unlessAllStruck } from './text.ts'

const MAX_DEPTH = 500

interface Group {
  isSkipped: boolean
  /** It began with a sign that lets readers skip what they do not know. */
  isStarred: boolean
  font: number
  /** How many characters stand after a `\u` for readers that do not know it. */
  unicodeSkip: number
  isDeleted: boolean
  isHidden: boolean
  isStruck: boolean
  raised: Raised | null
  isLabel: boolean
  isMath: boolean
  /** Where its text goes: the document, a header, a note or a text box. */
  output: Output
}

/**
 * The text of an RTF document with its numbers, tables, notes and formulas. Embedded objects, images, deleted and hidden
 * text are skipped, nothing is executed.
 */
export function readRtf(bytes: Uint8Array): ReadText {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (!/^[\s\u00ef\u00bb\u00bf]*\{\\rtf/.test(source.slice(0, 100))) throw new Unreadable(BROKEN)
  let margins: Omit<RtfText, 'body'> = { headers: [], footers: [] }
  const body = unlessAllStruck((keepsStruck) => {
    const text = textOf(source, keepsStruck)
    margins = text
    return text.body
  })
  const whole = [...margins.headers, body, ...margins.footers].filter(Boolean).join('\n\n')
  return joinParts([{ name: null, text: tidy(whole) }])
}

interface RtfText {
  body: string
  headers: string[]
  footers: string[]
}

/** What a word says about how characters look; null for other words. */
function lookOf(word: string, value: number | null): Partial<Pick<Group, 'isHidden' | 'isStruck' | 'raised'>> | null {
  if (word === 'v') return { isHidden: value !== 0 }
  if (word === 'strike' || word === 'striked') return { isStruck: value !== 0 }
  if (word === 'nosupersub' || ((word === 'up' || word === 'dn') && value === 0)) return { raised: null }
  if (word === 'super' || word === 'up') return { raised: 'super' }
  return word === 'sub' || word === 'dn' ? { raised: 'sub' } : null
}

function textOf(source: string, keepsStruck: boolean): RtfText {
  const tokens = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/g
  const found = { headers: new Set<string>(), footers: new Set<string>() }
  const fonts = new Map<number, number>()
  const looks = new Map<number, Partial<Pick<Group, 'isHidden' | 'isStruck' | 'raised'>>>()
  const headingStyles = new Map<number, number>()
  const stack: Group[] = []
  const document = createOutput()
  let group: Group = {
    ...{ isSkipped: false, isStarred: false, font: 0, unicodeSkip: 1, isDeleted: false, isHidden: false },
    ...{ isStruck: false, raised: null, isLabel: false, isMath: false, output: document },
  }
  let [codePage, isFontTable, isStyles, tableFont, tableStyle, toSkip] = [1252, 0, 0, 0, -1, 0]
  let pending: Buffer[] = []

  const isShown = () => !(group.isSkipped || group.isDeleted || group.isHidden || (group.isStruck && !keepsStruck))
  const write = (text: string) => {
    const { isLabel, output } = group
    if (isShown()) output.write(isLabel || output.isFormula() ? text : markRaised(text, group.raised), isLabel)
  }
  const flush = () => {
    if (pending.length === 0) return
    const page = fonts.get(group.font) ?? codePage
    const name = page === 10_000 ? 'macintosh' : page === 866 ? 'cp866' : `windows-${page}`
    write(iconv.decode(Buffer.concat(pending), iconv.encodingExists(name) ? name : 'windows-1252'))
    pending = []
  }
  /** Words about tables of the file: its fonts and styles. */
  const define = (word: string, wordValue: number | null) => {
    const value = wordValue ?? 0
    if (word === 'fonttbl') [group.isSkipped, isFontTable] = [true, stack.length]
    else if (word === 'stylesheet') [group.isSkipped, isStyles] = [true, stack.length]
    else if (isFontTable > 0 && word === 'f') tableFont = value
    else if (isFontTable > 0 && word === 'fcharset') {
      const page = charsets[value]
      if (page && value !== 0) fonts.set(tableFont, page)
    } else if (isStyles > 0 && (word === 'cs' || word === 's')) tableStyle = value
    else if (isStyles > 0 && word === 'outlinelevel') headingStyles.set(tableStyle, value)
    else if (isStyles > 0 && tableStyle >= 0) {
      const look = lookOf(word, wordValue)
      if (look) looks.set(tableStyle, { ...looks.get(tableStyle), ...look })
    } else return isFontTable > 0 || isStyles > 0
    return true
  }
  /** Words that begin a group with a text of its own. */
  const begin = (word: string): boolean => {
    if (group.isStarred && starredText.has(word)) group.isSkipped = false
    if (margins.test(word)) group.output = createOutput(word)
    else if (word === 'footnote' && !group.isSkipped) [group.output, group.raised] = [createOutput('footnote'), null]
    else if (word === 'shptxt') [group.isSkipped, group.output] = [false, createOutput('box')]
    else if (word === 'listtext' || word === 'pntext') {
      group.isLabel = true
      group.output.beginLabel()
    } else if (word === 'moMath' && !group.isSkipped) {
      group.isMath = group.output.openFormula()
    } else if (group.output.isFormula() && /^m[A-Za-z]/.test(word) && !group.isMath) {
      group.isMath = true
      group.output.openMath(word.slice(1))
    } else if (skipped.has(word)) group.isSkipped = true
    else return false
    return true
  }
  const control = (word: string, value: number | null) => {
    flush()
    if (define(word, value)) return
    const look = lookOf(word, value)
    if (word === 'u' && value !== null) {
      write(String.fromCharCode(value & 0xffff))
      toSkip = group.unicodeSkip
    } else if (word === 'uc') group.unicodeSkip = Math.min(Math.max(value ?? 1, 0), 10)
    else if (word === 'ansicpg' && value) codePage = value
    else if (word === 'pc' || word === 'pca') codePage = 866
    else if (word === 'f') group.font = value ?? 0
    else if (word === 'deleted') group.isDeleted = value !== 0
    else if (look) Object.assign(group, look)
    else if (word === 'cs') Object.assign(group, looks.get(value ?? 0))
    else if (word === 'plain')
      Object.assign(group, { font: 0, isDeleted: false, isHidden: false, isStruck: false, raised: null })
    else if (word === 's' && !group.isLabel) group.output.control('outlinelevel', headingStyles.get(value ?? 0) ?? null)
    else if (begin(word)) return
    else if (signs[word]) write(signs[word])
    else if (!group.isSkipped && !group.isLabel && !(group.isDeleted && word === 'par'))
      group.output.control(word, value)
  }
  const end = (ended: Group) => {
    if (ended.isMath) {
      if (ended.output.closeMath()) return
    }
    if (ended.output === group.output || ended.isSkipped) return
    const { kind } = ended.output
    const text = ended.output.text()
    if (kind === 'box') group.output.addBox(text)
    else if (kind === 'footnote') {
      if (isShown()) group.output.addNote(text, ended.output.isEndnote())
    } else if (/\p{L}|\d.*\d/u.test(text)) found[kind.startsWith('h') ? 'headers' : 'footers'].add(text)
  }

  for (const [, word, value, hex, symbol, brace, text] of source.matchAll(tokens)) {
    if (brace === '{') {
      flush()
      if (stack.length >= MAX_DEPTH) throw new Unreadable(BROKEN)
      stack.push(group)
      ;[group, toSkip] = [{ ...group, isStarred: false, isMath: false }, 0]
    } else if (brace === '}') {
      flush()
      const ended = group
      group = stack.pop() ?? group
      if (isFontTable > stack.length) isFontTable = 0
      if (isStyles > stack.length) isStyles = 0
      end(ended)
      toSkip = 0
    } else if (word) control(word, value === undefined ? null : Number(value))
    else if (hex || text || symbol) {
      if (symbol === '*') [group.isStarred, group.isSkipped] = [!group.isSkipped, true]
      else if (symbol && signs[symbol]) write(signs[symbol] ?? '')
      else if (symbol && !/[\\{}]/.test(symbol)) flush()
      else {
        const raw = Buffer.from(hex ?? text ?? symbol ?? '', hex ? 'hex' : 'latin1')
        if (!group.isSkipped) pending.push(raw.subarray(toSkip))
        toSkip = Math.max(0, toSkip - raw.length)
      }
    }
  }
  flush()
  return { body: document.text(), headers: [...found.headers], footers: [...found.footers] }
}
