import { tableText } from './markdown-table.ts'
import { sheetPart, sparseRows } from './read-xlsx.ts'
import { type DocumentPart, joinParts, MAX_SYMBOLS, type ReadText, tidy } from './text.ts'
import { type Attributes, decodeXml, readXml } from './xml.ts'
import { unzipDocument } from './zip.ts'

/** Rows and columns may claim to repeat a million times; so many are written out. */
const MAX_REPEATS = 100

/** The text of an OpenDocument file: a text with headings and tables, the sheets of a workbook, or slides. */
export async function readOdf(bytes: Uint8Array): Promise<ReadText> {
  const parts = await unzipDocument(bytes, /^(content|styles)\.xml$/)
  const { content, headers, footers } = { content: parts.get('content.xml'), ...marginsOf(parts.get('styles.xml')) }
  const found = bodyOf(content ? decodeXml(content) : '')
  const around = found.length === 1 && found[0]?.name === null
  const named = (text: string[]): DocumentPart[] =>
    around && text.length > 0 ? [{ name: null, text: text.join('\n') }] : []
  return joinParts([...named(headers), ...found, ...named(footers)])
}

interface Table {
  cells: ReturnType<typeof sparseRows>
  row: number
  column: number
  rowRepeats: number
  name: string
}

/** Notes and comments of readers, indexes and changes that were deleted are not the text. */
const skipped = new Set([
  'annotation',
  'tracked-changes',
  'forms',
  'notes',
  'settings',
  'table-of-content-source',
  'desc',
  'title',
])

function bodyOf(xml: string): DocumentPart[] {
  const parts: DocumentPart[] = []
  const tables: Table[] = []
  let [lines, line, kind, symbols]: [string[], string, string, number] = [[], '', '', 0]
  let [heading, listDepth, slide] = [0, 0, 0]
  const endLine = () => {
    const text = line.replace(/[^\S\t]+/g, ' ').trim()
    line = ''
    if (text === '' || symbols > MAX_SYMBOLS) return
    symbols += text.length
    lines.push(
      heading > 0
        ? `\n${'#'.repeat(Math.min(heading, 6))} ${text}\n`
        : listDepth > 0
          ? `${'  '.repeat(listDepth - 1)}- ${text}`
          : `${text}\n`,
    )
  }
  const cellLines: string[][] = []
  const columns: number[] = []
  readXml(xml, {
    skip: skipped,
    open: (name, attribute) => {
      if (name === 'spreadsheet' || name === 'presentation') kind = name
      if (name === 'h') heading = Number(attribute('outline-level') ?? 1)
      if (name === 'list') listDepth += 1
      if (name === 's') line += ' '
      if (name === 'tab') line += '\t'
      if (name === 'line-break') line += ' '
      if (name === 'page' && kind === 'presentation') [slide, lines] = [slide + 1, []]
      if (name === 'table')
        tables.push({ cells: sparseRows(), row: 0, column: 0, rowRepeats: 1, name: attribute('name') ?? '' })
      const table = tables.at(-1)
      if (table && name === 'table-row')
        [table.column, table.rowRepeats] = [0, repeatsOf(attribute, 'number-rows-repeated')]
      if (table && (name === 'table-cell' || name === 'covered-table-cell')) {
        cellLines.push([])
        columns.push(repeatsOf(attribute, 'number-columns-repeated', 16_384))
      }
    },
    text: (text) => {
      line += text
    },
    close: (name) => {
      const table = tables.at(-1)
      if (name === 'p' || name === 'h') {
        const cell = cellLines.at(-1)
        if (cell) {
          cell.push(line)
          line = ''
        } else endLine()
        heading = 0
      }
      if (name === 'list') listDepth -= 1
      if (table && (name === 'table-cell' || name === 'covered-table-cell')) {
        const [text, repeats] = [(cellLines.pop() ?? []).join(' ').trim(), columns.pop() ?? 1]
        for (let at = 0; text !== '' && at < Math.min(repeats, MAX_REPEATS); at += 1)
          table.cells.set(table.row, table.column + at, text)
        table.column += repeats
      }
      if (table && name === 'table-row') table.row += table.rowRepeats
      if (table && name === 'table') {
        tables.pop()
        const rows = table.cells.rows()
        if (kind === 'spreadsheet') parts.push(sheetPart(table.name, rows))
        else if (cellLines.length > 0) cellLines.at(-1)?.push(rows.flat().join(' '))
        else lines.push(`\n${tableText(rows)}\n`)
      }
      if (name === 'page' && kind === 'presentation') parts.push(slidePart(slide, lines))
    },
  })
  if (kind === '') parts.push({ name: null, text: tidy(lines.join('\n')) })
  return parts
}

export const slidePart = (number: number, lines: readonly string[]): DocumentPart => {
  const text = tidy(lines.join('\n'))
  return { name: `слайд ${number}`, text: text === '' ? '' : `## Слайд ${number}\n\n${text}` }
}

const repeatsOf = (attribute: Attributes, name: string, most = Number.MAX_SAFE_INTEGER) =>
  Math.min(Math.max(1, Number(attribute(name) ?? 1) || 1), most)

/** Headers and footers are in the styles of the pages, once each. */
function marginsOf(styles: Buffer | undefined): { headers: string[]; footers: string[] } {
  const found = { headers: new Set<string>(), footers: new Set<string>() }
  let [line, where]: [string, 'headers' | 'footers' | null] = ['', null]
  readXml(styles ? decodeXml(styles) : '', {
    open: (name) => {
      if (/^header(-left|-first)?$/.test(name)) where = 'headers'
      if (/^footer(-left|-first)?$/.test(name)) where = 'footers'
      if (name === 's' || name === 'tab') line += ' '
    },
    text: (text) => {
      if (where) line += text
    },
    close: (name) => {
      if (where && name === 'p') {
        const text = line.replace(/\s+/g, ' ').trim()
        if (/\p{L}|\d.*\d/u.test(text)) found[where].add(text)
        line = ''
      }
      if (/^(header|footer)(-left|-first)?$/.test(name)) where = null
    },
  })
  return { headers: [...found.headers], footers: [...found.footers] }
}
