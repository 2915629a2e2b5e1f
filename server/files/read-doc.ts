import iconv from 'iconv-lite'
import { readCompoundFile } from './cfb.ts'
import { tableText } from './markdown-table.ts'
import { BROKEN, LOCKED, OLD_WORD, Unreadable } from './rejections.ts'
import { joinParts, MAX_SYMBOLS, type ReadText, tidy } from './text.ts'

const WORD_97 = 193
const ENCRYPTED = 0x0100
const SECOND_TABLE = 0x0200
const PARTS = 8

/** The text of a document of Word 97–2003: its main part with tables, notes, headers and footers. */
export function readDoc(bytes: Uint8Array): ReadText {
  const stream = readCompoundFile(bytes)
  const main = stream('WordDocument')
  if (!main || main.length < 0x200 || main.readUInt16LE(0) !== 0xa5ec) throw new Unreadable(BROKEN)
  if (main.readUInt16LE(2) < WORD_97) throw new Unreadable(OLD_WORD)
  const flags = main.readUInt16LE(10)
  if (flags & ENCRYPTED) throw new Unreadable(LOCKED)
  const table = stream(flags & SECOND_TABLE ? '1Table' : '0Table')
  const text = table ? piecesOf(main, table) : ''
  // The parts follow each other: text, footnotes, headers and footers, macros, comments, endnotes, two kinds of text boxes.
  const parts: string[] = []
  for (let part = 0, at = 0; part < PARTS; part += 1) {
    const length = Math.max(0, main.readInt32LE(0x4c + part * 4))
    parts.push(layOut(withoutFields(text.slice(at, at + length))))
    at += length
  }
  const [body = '', footnotes = '', around = '', , , endnotes = '', boxes = '', aroundBoxes = ''] = parts
  const lines = `${around}\n${aroundBoxes}`.split('\n').map((line) => line.trim())
  const repeated = [...new Set(lines)].filter((line) => /\p{L}|\d.*\d/u.test(line)).join('\n')
  const shown = [repeated, body, boxes, footnotes, endnotes].filter((part) => part.trim() !== '')
  return joinParts([{ name: null, text: tidy(shown.join('\n\n')) }])
}

/** The text is stored in pieces, each in one byte or two bytes for a character; a table names them in order. */
function piecesOf(main: Buffer, table: Buffer): string {
  const [start, length] = [main.readUInt32LE(0x1a2), main.readUInt32LE(0x1a6)]
  const complex = table.subarray(start, start + length)
  let at = 0
  // Properties of runs (1) come before the table of pieces (2).
  while (complex[at] === 1 && at + 3 <= complex.length) at += 3 + complex.readUInt16LE(at + 1)
  if (complex[at] !== 2 || at + 5 > complex.length) throw new Unreadable(BROKEN)
  const pieces = complex.subarray(at + 5, at + 5 + complex.readUInt32LE(at + 1))
  const count = Math.floor((pieces.length - 4) / 12)
  const found: string[] = []
  let symbols = 0
  for (let piece = 0; piece < count && symbols <= MAX_SYMBOLS; piece += 1) {
    const size = pieces.readUInt32LE(piece * 4 + 4) - pieces.readUInt32LE(piece * 4)
    const place = pieces.readUInt32LE((count + 1) * 4 + piece * 8 + 2)
    const isOneByte = (place & 0x40000000) !== 0
    const from = isOneByte ? (place & 0x3fffffff) >> 1 : place
    if (size < 0 || from > main.length) throw new Unreadable(BROKEN)
    const raw = main.subarray(from, from + size * (isOneByte ? 1 : 2))
    found.push(isOneByte ? iconv.decode(raw, 'windows-1252') : raw.toString('utf16le'))
    symbols += size
  }
  return found.join('')
}

const [FIELD, RESULT, FIELD_END, CELL] = ['\u0013', '\u0014', '\u0015', '\u0007']

/** A field is its code, a separator and its result: only the result is text. */
function withoutFields(text: string): string {
  if (!text.includes(FIELD)) return text
  const isCode: boolean[] = []
  let kept = ''
  for (const sign of text) {
    if (sign === FIELD) isCode.push(true)
    else if (sign === RESULT) isCode[isCode.length - 1] = false
    else if (sign === FIELD_END) isCode.pop()
    else if (!isCode.includes(true)) kept += sign
  }
  return kept
}

/** Cells end with a sign of their own, and so does a row. Other signs are removed as invisible ones later. */
function layOut(text: string): string {
  const lines: string[] = []
  let cells: string[] = []
  const endTable = () => {
    if (cells.length > 0) lines.push('', tableText(rowsOf(cells)), '')
    cells = []
  }
  const plain = text
    .replaceAll('\u000b', '\n')
    .replaceAll('\u000c', '\r')
    .replaceAll('\u000e', '\r')
    .replaceAll('\u001e', '-')
  const contents = plain.split(CELL)
  const after = contents.pop() ?? ''
  for (const content of contents) {
    const cell = content.split('\r')
    // Text before a table is not separated from its first cell; several lines at the beginning of a row end the table.
    if (cell.length > 1 && (cells.length === 0 || (cells.at(-1) === '' && cell.length > 3))) {
      endTable()
      lines.push(...cell.splice(0, cell.length - 1))
    }
    cells.push(cell.join(' '))
  }
  endTable()
  return [...lines, ...after.split('\r')].join('\n')
}

/** A row ends with an empty cell, and other cells may be empty too: the smallest width that fits all rows is taken. */
function rowsOf(cells: readonly string[]): string[][] {
  for (let width = 1; width < Math.min(cells.length, 64); width += 1) {
    const isEnd = (at: number) => at % (width + 1) === width
    if (cells.length % (width + 1) === 0 && cells.every((cell, at) => !isEnd(at) || cell === ''))
      return Array.from({ length: cells.length / (width + 1) }, (_, row) =>
        cells.slice(row * (width + 1), row * (width + 1) + width),
      )
  }
  const rows: string[][] = [[]]
  for (const cell of cells) {
    if (cell === '' && rows.at(-1)?.length) rows.push([])
    else rows.at(-1)?.push(cell)
  }
  return rows
}
