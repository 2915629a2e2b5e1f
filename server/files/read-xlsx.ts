import { tableText } from './markdown-table.ts'
import { TOO_HEAVY, Unreadable } from './rejections.ts'
import { type DocumentPart, joinParts, MAX_SYMBOLS, type ReadText, tidy } from './text.ts'
import { decodeXml, readXml, relationships } from './xml.ts'
import { unzipDocument } from './zip.ts'

const MAX_COLUMNS = 16_384
const BOOK = 'xl/workbook.xml'

interface Book {
  sheets: { name: string; path: string }[]
  strings: string[]
  /** Whether a number in the style is a date, by the number of the style. */
  dates: boolean[]
  is1904: boolean
}

/** The sheets of a workbook as Markdown tables; formulas as their results. Sheets that are only a chart have no text. */
export async function readXlsx(bytes: Uint8Array): Promise<ReadText> {
  const parts = await unzipDocument(bytes)
  const xml = (path: string) => {
    const part = parts.get(path)
    parts.delete(path)
    return part ? decodeXml(part) : undefined
  }
  const book = readBook(xml)
  return joinParts(sheetsOf(book, xml))
}

function* sheetsOf(book: Book, xml: (path: string) => string | undefined): Generator<DocumentPart> {
  for (const { name, path } of book.sheets) yield sheetPart(name, readSheet(xml(path) ?? '', book))
}

/** A sheet as a part of a document: its name is a heading, and citations name it. */
export function sheetPart(given: string, rows: readonly (readonly string[])[]): DocumentPart {
  const name = tidy(given)
  const text = tidy(tableText(rows))
  return { name: `лист «${name}»`, text: text === '' ? '' : `## Лист «${name}»\n\n${text}` }
}

function readBook(xml: (path: string) => string | undefined): Book {
  const related = relationships(xml('xl/_rels/workbook.xml.rels'), 'xl')
  const sheets: Book['sheets'] = []
  let is1904 = false
  readXml(xml(BOOK) ?? '', {
    open: (name, attribute) => {
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attribute('date1904') ?? '')
      const target = name === 'sheet' ? related.get(attribute('id') ?? '') : undefined
      if (target?.type === 'worksheet') sheets.push({ name: attribute('name') ?? '', path: target.target })
    },
  })
  const pathOf = (type: string, usual: string) =>
    [...related.values()].find((related) => related.type === type)?.target ?? usual
  return {
    sheets,
    is1904,
    strings: readStrings(xml(pathOf('sharedStrings', 'xl/sharedStrings.xml')) ?? ''),
    dates: readStyles(xml(pathOf('styles', 'xl/styles.xml')) ?? ''),
  }
}

/** Readings of Japanese words (`rPh`) repeat the word and are left out. */
function readStrings(xml: string): string[] {
  const strings: string[] = []
  let [current, isText, isReading] = ['', false, false]
  readXml(xml, {
    open: (name) => {
      if (name === 'si') current = ''
      if (name === 'rPh') isReading = true
      isText = name === 't' && !isReading
    },
    text: (text) => {
      if (isText) current += text
    },
    close: (name) => {
      isText = false
      if (name === 'rPh') isReading = false
      if (name === 'si') strings.push(current)
    },
  })
  return strings
}

/** Formats of dates that have a number instead of a text. */
export const isDateFormat = (id: number) => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58)

function readStyles(xml: string): boolean[] {
  const custom = new Map<number, boolean>()
  const dates: boolean[] = []
  let isCells = false
  readXml(xml, {
    open: (name, attribute) => {
      if (name === 'numFmt') custom.set(Number(attribute('numFmtId')), isDateCode(attribute('formatCode') ?? ''))
      if (name === 'cellXfs') isCells = true
      const id = Number(attribute('numFmtId') ?? 0)
      if (name === 'xf' && isCells) dates.push(custom.get(id) ?? isDateFormat(id))
    },
    close: (name) => {
      if (name === 'cellXfs') isCells = false
    },
  })
  return dates
}

/** Words in quotes, colours and escaped signs are no parts of the date. */
export const isDateCode = (code: string) =>
  /[ymdhs]/i.test(
    code.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[[^\]]*\]/g, (part) => (/^\[[hms]+\]$/i.test(part) ? 'h' : '')),
  )

/** Cells and rows may have no address (`r`): then each follows the one before. */
function readSheet(xml: string, book: Book): string[][] {
  const cells = sparseRows()
  let [row, column] = [-1, -1]
  let [type, style, value, isValue] = ['', 0, '', false]
  readXml(xml, {
    open: (name, attribute) => {
      if (name === 'row') [row, column] = [row + 1, -1]
      if (name === 'c') {
        column = columnOf(attribute('r')) ?? column + 1
        ;[type, style, value] = [attribute('t') ?? 'n', Number(attribute('s') ?? 0), '']
      }
      isValue = name === 'v' || name === 't' || (isValue && name !== 'rPh')
    },
    text: (text) => {
      if (isValue) value += text
    },
    close: (name) => {
      if (name === 'v' || name === 't') isValue = false
      if (name === 'c' && value !== '') {
        cells.set(row, column, cellText(value, type, book.dates[style] === true, book))
      }
    },
  })
  return cells.rows()
}

const MAX_CELLS = 5_000_000

/** Collects cells at any address; only columns and rows with a value take room. */
export function sparseRows() {
  const rows = new Map<number, Map<number, string>>()
  const used = new Set<number>()
  let symbols = 0
  return {
    set: (row: number, column: number, text: string) => {
      if (text === '' || symbols > MAX_SYMBOLS || column > MAX_COLUMNS) return
      symbols += text.length
      used.add(column)
      const cells = rows.get(row) ?? new Map<number, string>()
      rows.set(row, cells.set(column, text))
    },
    rows: (): string[][] => {
      if (rows.size * used.size > MAX_CELLS) throw new Unreadable(TOO_HEAVY)
      const columns = [...used].sort((a, b) => a - b)
      return [...rows].sort(([a], [b]) => a - b).map(([, row]) => columns.map((column) => row.get(column) ?? ''))
    },
  }
}

/** The number of a column by the letters of an address such as `AB12`. */
function columnOf(address: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/i.exec(address ?? '')?.[0].toUpperCase()
  if (!letters) return null
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function cellText(value: string, type: string, isDate: boolean, { strings, is1904 }: Book): string {
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'ИСТИНА' : 'ЛОЖЬ'
  if (type === 'd') return dateText(new Date(value)) ?? value
  if (type !== 'n') return value
  const number = Number(value)
  if (isDate) return dateOfNumber(number, is1904) ?? value
  return Number.isFinite(number) ? numberText(number) : value
}

/** Sums of decimal fractions have digits that nobody typed, such as 0.30000000000000004. */
export const numberText = (number: number) => String(Number(number.toPrecision(15)))

/** Workbooks count days from the end of 1899, or from 1904 on an old Mac. Less than a day is a time. */
export function dateOfNumber(days: number, is1904: boolean): string | null {
  if (!Number.isFinite(days) || days < 0 || days > 2_958_466) return null
  const ms = Math.round(days * 86_400) * 1000
  if (days < 1) return new Date(ms).toISOString().slice(11, 19).replace(/:00$/, '')
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  return dateText(new Date(start + ms))
}

function dateText(date: Date): string | null {
  if (Number.isNaN(date.getTime())) return null
  return date
    .toISOString()
    .replace('T00:00:00.000Z', '')
    .replace('T', ' ')
    .replace(/(:00)?\.000Z$/, '')
}
