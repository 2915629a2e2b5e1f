import { formulaIn, marginsOf, readOdfBody, skipped, stylesIn } from './odf/body.ts'
import { sheetPart, sparseRows } from './read-xlsx.ts'
import { type DocumentPart, joinParts, MAX_SYMBOLS, type ReadText, tidy, unlessAllStruck } from './text.ts'
import { type Attributes, decodeXml, readXml } from './xml.ts'
import { unzipDocument } from './zip.ts'

/** Rows and columns may claim to repeat a million times; so many are written out. */
const MAX_REPEATS = 100
/** Objects of the file, such as formulas, have folders of their own. */
const READ_PARTS = /^(content|styles|[^/]+\/content)\.xml$/

/** The text of an OpenDocument file: a text with headings, numbers and tables, the sheets of a workbook, or slides. */
export async function readOdf(bytes: Uint8Array): Promise<ReadText> {
  const parts = await unzipDocument(bytes, READ_PARTS)
  const xml = (path: string) => {
    const part = parts.get(path)
    return part ? decodeXml(part) : ''
  }
  const content = xml('content.xml')
  const kind = /<(?:\w+:)?body[^>]*>\s*<(?:\w+:)?(\w+)/.exec(content)?.[1]
  if (kind === 'spreadsheet') return joinParts(sheetsOf(content))
  const styles = stylesIn(xml('styles.xml'))
  const formulas = new Map<string, string>()
  /** Each is read once, however often it is named. */
  const formulaOf = (object: string) => {
    const path = `${object.replace(/^\.\/|\/$/g, '')}/content.xml`
    const formula = formulas.get(path) ?? formulaIn(xml(path))
    formulas.set(path, formula)
    return formula
  }
  if (kind === 'presentation') {
    const slides: DocumentPart[] = []
    const onSlide = (text: string) => slides.push(slidePart(slides.length + 1, [text]))
    readOdfBody(content, { styles, formulaOf, onSlide })
    return joinParts(slides)
  }
  const { headers, footers } = marginsOf(xml('styles.xml'))
  const text = tidy(unlessAllStruck((keepsStruck) => readOdfBody(content, { styles, formulaOf, keepsStruck })))
  return joinParts([headers.join('\n'), text, footers.join('\n')].map((part) => ({ name: null, text: part })))
}

interface Table {
  cells: ReturnType<typeof sparseRows>
  row: number
  column: number
  rowRepeats: number
  name: string
}

function sheetsOf(xml: string): DocumentPart[] {
  const parts: DocumentPart[] = []
  const tables: Table[] = []
  const cellLines: string[][] = []
  const columns: number[] = []
  let [line, symbols] = ['', 0]
  readXml(xml, {
    skip: skipped,
    open: (name, attribute) => {
      if (name === 's' || name === 'line-break') line += ' '
      if (name === 'tab') line += '\t'
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
        symbols += line.length
        if (symbols <= MAX_SYMBOLS) cellLines.at(-1)?.push(line)
        line = ''
      }
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
        if (cellLines.length > 0) cellLines.at(-1)?.push(rows.flat().join(' '))
        else parts.push(sheetPart(table.name, rows))
      }
    },
  })
  return parts
}

export const slidePart = (number: number, lines: readonly string[]): DocumentPart => {
  const text = tidy(lines.join('\n'))
  return { name: `слайд ${number}`, text: text === '' ? '' : `## Слайд ${number}\n\n${text}` }
}

const repeatsOf = (attribute: Attributes, name: string, most = Number.MAX_SAFE_INTEGER) =>
  Math.min(Math.max(1, Number(attribute(name) ?? 1) || 1), most)
