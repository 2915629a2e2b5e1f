import { Readable } from 'node:stream'
import { createDeflate, deflateSync } from 'node:zlib'

interface PdfOptions {
  /** More entries of the trailer, such as `/Encrypt …`. */
  trailer?: string
  /** Whether pages are compressed here or were before. */
  packed?: boolean | 'already'
}

/** A minimal PDF: one font, one page for each text. */
export function makePdf(pages: string[], options: PdfOptions = {}): Buffer {
  return makeDrawnPdf(
    pages.map((text) => `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`),
    options,
  )
}

/** The same with the given drawing commands for each page. */
export function makeDrawnPdf(streams: (string | Buffer)[], { trailer = '', packed = false }: PdfOptions = {}): Buffer {
  const pages = streams.map((_, index) => 5 + index * 2)
  const objects: (string | Buffer)[] = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${pages.map((id) => `${id} 0 R`).join(' ')}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...streams.flatMap((stream, index) => [
      contentStream(Buffer.from(stream), packed),
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents ${4 + index * 2} 0 R>>`,
    ]),
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
