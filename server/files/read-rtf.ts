import iconv from 'iconv-lite'
import { BROKEN, Unreadable } from './rejections.ts'
import { createOutput, type Output } from './rtf/output.ts'
import { charsets, margins, signs, skipped, starredText } from './rtf/words.ts'
import { joinParts, type ReadText, tidy } from './text.ts'

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
  const { body, headers, footers } = textOf(source)
  return joinParts([{ name: null, text: tidy([...headers, body, ...footers].filter(Boolean).join('\n\n')) }])
}

function textOf(source: string): { body: string; headers: string[]; footers: string[] } {
  const tokens = /\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/g
  const found = { headers: new Set<string>(), footers: new Set<string>() }
  const fonts = new Map<number, number>()
  const hiddenStyles = new Set<number>()
  const headingStyles = new Map<number, number>()
  const stack: Group[] = []
  const document = createOutput()
  let group: Group = {
    ...{ isSkipped: false, isStarred: false, font: 0, unicodeSkip: 1, isDeleted: false, isHidden: false },
    ...{ isLabel: false, isMath: false, output: document },
  }
  let [codePage, isFontTable, isStyles, tableFont, tableStyle, toSkip] = [1252, 0, 0, 0, -1, 0]
  let pending: Buffer[] = []

  const isShown = () => !(group.isSkipped || group.isDeleted || group.isHidden)
  const write = (text: string) => {
    if (isShown()) group.output.write(text, group.isLabel)
  }
  const flush = () => {
    if (pending.length === 0) return
    const page = fonts.get(group.font) ?? codePage
    const name = page === 10_000 ? 'macintosh' : page === 866 ? 'cp866' : `windows-${page}`
    write(iconv.decode(Buffer.concat(pending), iconv.encodingExists(name) ? name : 'windows-1252'))
    pending = []
  }
  /** Words about tables of the file: its fonts and styles. */
  const define = (word: string, value: number) => {
    if (word === 'fonttbl') [group.isSkipped, isFontTable] = [true, stack.length]
    else if (word === 'stylesheet') [group.isSkipped, isStyles] = [true, stack.length]
    else if (isFontTable > 0 && word === 'f') tableFont = value
    else if (isFontTable > 0 && word === 'fcharset') {
      const page = charsets[value]
      if (page && value !== 0) fonts.set(tableFont, page)
    } else if (isStyles > 0 && (word === 'cs' || word === 's')) tableStyle = value
    else if (isStyles > 0 && word === 'outlinelevel') headingStyles.set(tableStyle, value)
    else if (isStyles > 0 && word === 'v' && value !== 0 && tableStyle >= 0) hiddenStyles.add(tableStyle)
    else return isFontTable > 0 || isStyles > 0
    return true
  }
  /** Words that begin a group with a text of its own. */
  const begin = (word: string): boolean => {
    if (group.isStarred && starredText.has(word)) group.isSkipped = false
    if (margins.test(word)) group.output = createOutput(word)
    else if (word === 'footnote' && !group.isSkipped) group.output = createOutput('footnote')
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
    if (define(word, value ?? 0)) return
    if (word === 'u' && value !== null) {
      write(String.fromCharCode(value & 0xffff))
      toSkip = group.unicodeSkip
    } else if (word === 'uc') group.unicodeSkip = Math.min(Math.max(value ?? 1, 0), 10)
    else if (word === 'ansicpg' && value) codePage = value
    else if (word === 'pc' || word === 'pca') codePage = 866
    else if (word === 'f') group.font = value ?? 0
    else if (word === 'deleted') group.isDeleted = value !== 0
    else if (word === 'v') group.isHidden = value !== 0
    else if (word === 'cs' && hiddenStyles.has(value ?? 0)) group.isHidden = true
    else if (word === 'plain') [group.font, group.isDeleted, group.isHidden] = [0, false, false]
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
