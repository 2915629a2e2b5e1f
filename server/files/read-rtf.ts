import iconv from 'iconv-lite'
import { tableText } from './markdown-table.ts'
import { BROKEN, Unreadable } from './rejections.ts'
import { joinParts, MAX_SYMBOLS, type ReadText, tidy } from './text.ts'

const MAX_DEPTH = 500

/** Groups that hold no text of the document. */
const skipped = new Set(
  'fonttbl colortbl stylesheet info pict object objdata themedata colorschememapping datastore latentstyles listtable listoverridetable revtbl rsidtbl generator xmlnstbl filetbl fldinst bkmkstart bkmkend mmathPr pgptbl ftnsep ftnsepc aftnsep aftnsepc private'.split(
    ' ',
  ),
)
/** Headers and footers are kept, once each, apart from the text. */
const margins = /^(?:header|footer)[lrf]?$/

const signs: Record<string, string> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  tab: '\t',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
  '~': '\u00a0',
  _: '-',
}

/** Code pages by the number of the alphabet of a font. */
const charsets: Record<number, number> = {
  0: 1252,
  77: 10_000,
  161: 1253,
  162: 1254,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  238: 1250,
  254: 866,
}

interface Group {
  isSkipped: boolean
  font: number
  /** How many characters stand after a `\u` for readers that do not know it. */
  unicodeSkip: number
  margin: string | null
}

/** The text of an RTF document with its tables. Embedded objects and images are skipped, nothing is executed. */
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
  const stack: Group[] = []
  let group: Group = { isSkipped: false, font: 0, unicodeSkip: 1, margin: null }
  let [codePage, isFontTable, tableFont, toSkip, body, margin] = [1252, 0, 0, 0, '', '']
  let [pending, table, row, cell]: [Buffer[], string[][], string[], string] = [[], [], [], '']
  let isInTable = false

  const write = (text: string) => {
    if (group.isSkipped || body.length > MAX_SYMBOLS) return
    if (group.margin) margin += text
    else if (isInTable) cell += text
    else {
      if (table.length > 0) endTable()
      body += text
    }
  }
  const endTable = () => {
    body += `\n\n${tableText(table)}\n\n`
    table = []
  }
  const flush = () => {
    if (pending.length === 0) return
    const page = fonts.get(group.font) ?? codePage
    const name = page === 10_000 ? 'macintosh' : page === 866 ? 'cp866' : `windows-${page}`
    write(iconv.decode(Buffer.concat(pending), iconv.encodingExists(name) ? name : 'windows-1252'))
    pending = []
  }
  const control = (word: string, value: number | null) => {
    if (word === 'u' && value !== null) {
      flush()
      write(String.fromCharCode(value & 0xffff))
      toSkip = group.unicodeSkip
      return
    }
    flush()
    if (word === 'uc') group.unicodeSkip = Math.min(Math.max(value ?? 1, 0), 10)
    else if (word === 'ansicpg' && value) codePage = value
    else if (word === 'pc' || word === 'pca') codePage = 866
    else if (word === 'f') {
      if (isFontTable > 0) tableFont = value ?? 0
      else group.font = value ?? 0
    } else if (word === 'fcharset' && isFontTable > 0) {
      const page = charsets[value ?? 0]
      if (page && value !== 0) fonts.set(tableFont, page)
    } else if (word === 'plain') group.font = 0
    else if (word === 'trowd' || word === 'intbl') isInTable = true
    else if (word === 'cell' || word === 'nestcell') {
      if (group.isSkipped) return
      row.push(cell)
      cell = ''
    } else if (word === 'row' || word === 'nestrow') {
      if (row.length > 0) table.push(row)
      ;[row, cell, isInTable] = [[], '', false]
    } else if (word === 'pard') isInTable = row.length > 0
    else if (margins.test(word)) [group.margin, margin] = [word, '']
    else if (word === 'fonttbl') [group.isSkipped, isFontTable] = [true, stack.length]
    else if (skipped.has(word)) group.isSkipped = true
    else if (signs[word]) write(isInTable && signs[word] === '\n' ? ' ' : signs[word])
  }

  for (const [, word, value, hex, symbol, brace, text] of source.matchAll(tokens)) {
    if (brace === '{') {
      flush()
      if (stack.length >= MAX_DEPTH) throw new Unreadable(BROKEN)
      stack.push(group)
      ;[group, toSkip] = [{ ...group }, 0]
    } else if (brace === '}') {
      flush()
      const ended = group
      group = stack.pop() ?? group
      if (isFontTable > stack.length) isFontTable = 0
      if (ended.margin && !group.margin) found[ended.margin.startsWith('h') ? 'headers' : 'footers'].add(margin.trim())
      toSkip = 0
    } else if (word) control(word, value === undefined ? null : Number(value))
    else if (hex || text || symbol) {
      if (symbol === '*') group.isSkipped = true
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
  if (table.length > 0) endTable()
  return { body, headers: [...found.headers].filter(isWorthy), footers: [...found.footers].filter(isWorthy) }
}

const isWorthy = (text: string) => /\p{L}|\d.*\d/u.test(text)
