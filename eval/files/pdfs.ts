import { firstFreeObject, makeDrawnPdf, textAt } from '#server/files/testing/make-pdf.ts'

const PAGE_LINES = 50
const page = (text: string) => `BT /F1 10 Tf ${text} ET`

/** Lines of so many characters; long words are cut with a hyphen, as typesetters do. */
function wrap(paragraphs: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const paragraph of paragraphs) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      const room = width - line.length - 2
      if (line.length + word.length + 1 <= width) line += line === '' ? word : ` ${word}`
      else if (/^\p{L}{7,}$/u.test(word) && room >= 3) {
        const cut = Math.min(room, word.length - 3)
        lines.push(`${line} ${word.slice(0, cut)}-`.trim())
        line = word.slice(cut)
      } else {
        lines.push(line)
        line = word
      }
    }
    lines.push(line)
  }
  return lines.filter(Boolean)
}

const inPages = (lines: readonly string[], size: number) =>
  Array.from({ length: Math.ceil(lines.length / size) }, (_, at) => lines.slice(at * size, (at + 1) * size))

/** Prose with a header and a number on each page. */
export function prosePdf(header: string, paragraphs: readonly string[]): Buffer {
  const pages = inPages(wrap(paragraphs, 80), PAGE_LINES)
  return makeDrawnPdf(
    pages.map((lines, at) =>
      page(
        textAt(72, 770, header) +
          lines.map((line, row) => textAt(72, 730 - row * 13, line)).join('') +
          textAt(300, 20, String(at + 1)),
      ),
    ),
    { packed: true },
  )
}

/** Two columns, drawn line by line across both. */
export function columnsPdf(paragraphs: readonly string[]): Buffer {
  const pages = inPages(wrap(paragraphs, 44), PAGE_LINES * 2)
  return makeDrawnPdf(
    pages.map((lines) => {
      const half = Math.ceil(lines.length / 2)
      const rows = lines.slice(0, half).map((line, row) => [line, lines[half + row] ?? ''])
      return page(
        rows
          .map(
            ([left = '', right = ''], row) =>
              textAt(50, 730 - row * 13, left) + (right ? textAt(330, 730 - row * 13, right) : ''),
          )
          .join(''),
      )
    }),
    { packed: true },
  )
}

/** A table with lines around its cells. */
export function tablePdf(table: readonly string[][]): Buffer {
  const [columns, bottom] = [[72, 232, 392, 500], 700 - table.length * 20]
  const flat = [...table, []].map((_, row) => `72 ${700 - row * 20} m 500 ${700 - row * 20} l S`)
  const upright = columns.map((x) => `${x} 700 m ${x} ${bottom} l S`)
  const cells = table.flatMap((row, at) =>
    row.map((cell, column) => textAt((columns[column] ?? 0) + 4, 686 - at * 20, cell)),
  )
  return makeDrawnPdf([[...flat, ...upright, page(cells.join(''))].join(' ')])
}

/** A form: labels are drawn, values are in its fields. */
export function formPdf(table: readonly string[][]): Buffer {
  const utf16 = (words: string) => `<feff${Buffer.from(words, 'utf16le').swap16().toString('hex')}>`
  const first = firstFreeObject(1)
  const all = table.map((_, at) => `${first + at} 0 R`).join(' ')
  return makeDrawnPdf([page(table.map(([label = ''], at) => textAt(72, 700 - at * 20, label)).join(''))], {
    catalog: `/AcroForm<</Fields[${all}]>>`,
    page: `/Annots[${all}]`,
    objects: table.map(
      ([, value = ''], at) =>
        `<</Type/Annot/Subtype/Widget/FT/Tx/T(f${at})/Rect[300 ${696 - at * 20} 500 ${714 - at * 20}]/V${utf16(value)}>>`,
    ),
  })
}
