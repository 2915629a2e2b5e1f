import iconv from 'iconv-lite'
import { readCompoundFile } from './cfb.ts'
import { dateOfNumber, isDateCode, isDateFormat, numberText, sheetPart, sparseRows } from './read-xlsx.ts'
import { BROKEN, LOCKED, OLD_EXCEL, Unreadable } from './rejections.ts'
import { joinParts, type ReadText } from './text.ts'

/** Numbers of the records of BIFF8. */
const [BOF, EOF, SHEET, STRINGS, CONTINUE, FORMAT, XF, FILEPASS, DATE_MODE] = [
  0x809, 0x0a, 0x85, 0xfc, 0x3c, 0x41e, 0xe0, 0x2f, 0x22,
]
const [LABEL, SHARED, NUMBER, RK, MANY_RK, FORMULA, STRING, BOOLEAN] = [
  0x204, 0xfd, 0x203, 0x27e, 0xbd, 0x06, 0x207, 0x205,
]
const BIFF8 = 0x600
const WORKSHEET = 0

interface Book {
  sheets: { name: string; at: number; type: number }[]
  strings: string[]
  formats: Map<number, boolean>
  /** The format of each style. */
  styles: number[]
  is1904: boolean
}

/** The sheets of a workbook of Excel 97–2003 as tables; formulas as their results. */
export function readXls(bytes: Uint8Array): ReadText {
  const stream = readCompoundFile(bytes)
  const content = stream('Workbook')
  if (!content) throw new Unreadable(stream('Book') ? OLD_EXCEL : BROKEN)
  const book = readBook(content)
  return joinParts(
    book.sheets
      .filter(({ type }) => type === WORKSHEET)
      .map(({ name, at }) => sheetPart(name, readSheet(content, at, book))),
  )
}

interface Record {
  id: number
  data: Buffer
  /** Where the next record begins. */
  next: number
}

function recordAt(content: Buffer, at: number): Record | null {
  if (at + 4 > content.length) return null
  const next = at + 4 + content.readUInt16LE(at + 2)
  return { id: content.readUInt16LE(at), data: content.subarray(at + 4, next), next }
}

function* recordsFrom(content: Buffer, at: number): Generator<Record> {
  for (let record = recordAt(content, at); record; record = recordAt(content, record.next)) {
    yield record
    if (record.id === EOF) return
  }
}

function readBook(content: Buffer): Book {
  const book: Book = { sheets: [], strings: [], formats: new Map(), styles: [], is1904: false }
  let strings: Buffer[] | null = null
  for (const { id, data } of recordsFrom(content, 0)) {
    if (id === BOF && data.length >= 2 && data.readUInt16LE(0) !== BIFF8) throw new Unreadable(OLD_EXCEL)
    if (id === FILEPASS) throw new Unreadable(LOCKED)
    if (id === STRINGS) strings = [data]
    else if (id === CONTINUE) strings?.push(data)
    else if (strings) {
      book.strings = readStrings(strings)
      strings = null
    }
    if (id === DATE_MODE && data.length >= 2) book.is1904 = data.readUInt16LE(0) === 1
    if (id === FORMAT && data.length >= 5) book.formats.set(data.readUInt16LE(0), isDateCode(longString(data, 2)))
    if (id === XF && data.length >= 4) book.styles.push(data.readUInt16LE(2))
    if (id === SHEET && data.length >= 8)
      book.sheets.push({ at: data.readUInt32LE(0), type: data[5] ?? 0, name: shortString(data, 6) })
  }
  return book
}

const shortString = (data: Buffer, at: number) => plainString(data, at + 2, data[at] ?? 0, data[at + 1] ?? 0)
const longString = (data: Buffer, at: number) =>
  data.length < at + 3 ? '' : plainString(data, at + 3, data.readUInt16LE(at), data[at + 2] ?? 0)
const plainString = (data: Buffer, at: number, length: number, flags: number) =>
  flags & 1 ? data.toString('utf16le', at, at + length * 2) : iconv.decode(data.subarray(at, at + length), 'latin1')

/**
 * All texts of a workbook. A text may go on in the next record, which then begins with the flag of its encoding: the
 * halves of one text may differ in it.
 */
function readStrings(blocks: Buffer[]): string[] {
  const found: string[] = []
  let [block, at] = [0, 8]
  const current = () => blocks[block] ?? Buffer.alloc(0)
  const next = () => {
    ;[block, at] = [block + 1, 0]
  }
  const skip = (bytes: number) => {
    for (let left = bytes; left > 0 && block < blocks.length; ) {
      const step = Math.min(left, current().length - at)
      at += step
      left -= step
      if (left > 0) next()
    }
  }
  const total = blocks[0] && blocks[0].length >= 8 ? blocks[0].readUInt32LE(4) : 0
  while (found.length < total && block < blocks.length) {
    if (at + 3 > current().length) {
      next()
      if (current().length < 3) break
    }
    let left = current().readUInt16LE(at)
    let flags = current()[at + 2] ?? 0
    at += 3
    const runs = flags & 8 ? current().readUInt16LE(at) : 0
    if (flags & 8) at += 2
    const phonetic = flags & 4 ? current().readUInt32LE(at) : 0
    if (flags & 4) at += 4
    let text = ''
    while (left > 0 && block < blocks.length) {
      const width = flags & 1 ? 2 : 1
      const count = Math.min(left, Math.floor((current().length - at) / width))
      text += plainString(current(), at, count, flags)
      at += count * width
      left -= count
      if (left > 0) {
        next()
        flags = current()[0] ?? 0
        at = 1
      }
    }
    found.push(text)
    skip(runs * 4 + phonetic)
  }
  return found
}

function readSheet(content: Buffer, start: number, book: Book): string[][] {
  const cells = sparseRows()
  const isDate = (style: number) => {
    const format = book.styles[style] ?? 0
    return book.formats.get(format) ?? isDateFormat(format)
  }
  const number = (value: number, style: number) =>
    (isDate(style) ? dateOfNumber(value, book.is1904) : null) ?? numberText(value)
  let [depth, awaited]: [number, { row: number; column: number } | null] = [0, null]
  for (const { id, data } of recordsFrom(content, start)) {
    if (id === BOF) depth += 1
    // Charts inside of a sheet have records of their own, from their beginning to their end.
    if (depth > 1 || data.length < 3) continue
    if (id === STRING && awaited) cells.set(awaited.row, awaited.column, longString(data, 0))
    if (data.length < 6) continue
    const [row, column, style] = [data.readUInt16LE(0), data.readUInt16LE(2), data.readUInt16LE(4)]
    if (id === SHARED && data.length >= 10) cells.set(row, column, book.strings[data.readUInt32LE(6)] ?? '')
    if (id === LABEL) cells.set(row, column, longString(data, 6))
    if (id === NUMBER && data.length >= 14) cells.set(row, column, number(data.readDoubleLE(6), style))
    if (id === RK && data.length >= 10) cells.set(row, column, number(packed(data.readUInt32LE(6)), style))
    if (id === BOOLEAN && data.length >= 8 && data[7] === 0) cells.set(row, column, data[6] ? 'ИСТИНА' : 'ЛОЖЬ')
    if (id === MANY_RK)
      for (let at = 4, next = column; at + 8 <= data.length; at += 6, next += 1)
        cells.set(row, next, number(packed(data.readUInt32LE(at + 2)), data.readUInt16LE(at)))
    if (id === FORMULA && data.length >= 14) {
      const isNumber = data.readUInt16LE(12) !== 0xffff
      awaited = !isNumber && data[6] === 0 ? { row, column } : null
      if (isNumber) cells.set(row, column, number(data.readDoubleLE(6), style))
      else if (data[6] === 1) cells.set(row, column, data[8] ? 'ИСТИНА' : 'ЛОЖЬ')
    }
  }
  return cells.rows()
}

/** A number in four bytes: the upper half of a double, or an integer; both may be in hundredths. */
function packed(value: number): number {
  const double = Buffer.alloc(8)
  double.writeUInt32LE((value & 0xfffffffc) >>> 0, 4)
  const number = value & 2 ? (value | 0) >> 2 : double.readDoubleLE(0)
  return value & 1 ? number / 100 : number
}
