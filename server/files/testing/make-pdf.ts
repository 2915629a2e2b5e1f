import { Readable } from 'node:stream'
import { createDeflate, deflateSync } from 'node:zlib'
import iconv from 'iconv-lite'

interface PdfOptions {
  /** More entries of the trailer, such as `/Encrypt …`. */
  trailer?: string
  /** Whether pages are compressed here or were before. */
  packed?: boolean | 'already'
  /** More entries of the catalog and of each page, and more objects; their numbers begin after those of the pages. */
  catalog?: string
  page?: string
  objects?: string[]
}

/** The number of the first of the further objects in a file of so many pages. */
export const firstFreeObject = (pages: number) => 4 + pages * 2

const afii = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `/afii${from + at}`).join('')
/** Russian letters stand where Windows-1251 has them; each letter is half as wide as the font is high. */
const FONT = `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 32/LastChar 255/Widths[${'500 '.repeat(224)}]/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[168/afii10023 184/afii10071 185/afii61352 192${afii(10017, 10022)}${afii(10024, 10049)}${afii(10065, 10070)}${afii(10072, 10097)}]>>>>`

/** A text at a place of a page, inside of BT and ET. */
export const textAt = (x: number, y: number, text: string) => `1 0 0 1 ${x} ${y} Tm (${text}) Tj `

/** A minimal PDF: one font, one page for each text. */
export function makePdf(pages: string[], options: PdfOptions = {}): Buffer {
  return makeDrawnPdf(
    pages.map((text) => `BT /F1 12 Tf 72 600 Td (${text}) Tj ET`),
    options,
  )
}

/** The same with the given drawing commands for each page. */
export function makeDrawnPdf(streams: (string | Buffer)[], options: PdfOptions = {}): Buffer {
  const { trailer = '', packed = false, catalog = '', page = '', objects: further = [] } = options
  const pages = streams.map((_, index) => 5 + index * 2)
  const objects: (string | Buffer)[] = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    `<</Type/Pages/Kids[${pages.map((id) => `${id} 0 R`).join(' ')}]/Count ${pages.length}>>`,
    FONT,
    ...streams.flatMap((stream, index) => [
      contentStream(typeof stream === 'string' ? iconv.encode(stream, 'windows-1251') : stream, packed),
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents ${4 + index * 2} 0 R${page}>>`,
    ]),
    ...further,
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  let length = parts[0]?.length ?? 0
  const offsets = objects.map((object, index) => {
    const at = length
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    parts.push(part)
    length += part.length
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${length}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}

function contentStream(content: Buffer, packed: PdfOptions['packed']): Buffer {
  const bytes = packed === true ? deflateSync(content) : content
  const filter = packed ? '/Filter/FlateDecode' : ''
  return Buffer.concat([Buffer.from(`<</Length ${bytes.length}${filter}>>stream\n`), bytes, Buffer.from('\nendstream')])
}

/** Claims to be encrypted. */
export function makeLockedPdf(): Buffer {
  const id = `<${'00'.repeat(16)}>`
  return makePdf(['secret'], {
    trailer: `/Encrypt<</Filter/Standard/V 1/R 2/O<${'aa'.repeat(32)}>/U<${'bb'.repeat(32)}>/P -4>>/ID[${id}${id}]`,
  })
}

/** A page that unpacks to a thousand times its size; it is made in chunks, so the test needs little memory. */
export async function makePdfBomb(megabytes: number): Promise<Buffer> {
  const spaces = Buffer.alloc(1024 * 1024, ' ')
  const words = Buffer.from('BT /F1 12 Tf (x) Tj ET ')
  const packed = Readable.from([words, ...Array.from({ length: megabytes }, () => spaces)]).pipe(createDeflate())
  return makeDrawnPdf([Buffer.concat(await packed.toArray())], { packed: 'already' })
}
