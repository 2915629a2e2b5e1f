import { deflateSync } from 'node:zlib'
import sharp from 'sharp'

/** A page of a PDF: a picture that fills it, with drawing commands for words beside it, or a text. */
export type ScannedPage =
  | { picture: Buffer; width: number; height: number; filter?: string; words?: string }
  | { text: string }

/** A JPEG of paper with the given lines on it, as a scanner makes it. */
export async function makePaper(
  lines: string[],
  width = 620,
  height = 877,
): Promise<ScannedPage & { picture: Buffer }> {
  const text = lines.map((line, n) => `<text x="50" y="${90 + n * 40}" font-size="24">${line}</text>`).join('')
  // Without fonts the lines are empty boxes, so a bar stands for the ink.
  const ink = lines.length > 0 ? `<rect x="50" y="${height - 90}" width="300" height="14"/>` : ''
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${text}${ink}</svg>`
  return { picture: await sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer(), width, height }
}

/** A page of one bit per pixel, as black-and-white scanners make it. */
export function makeBitmap(width: number, height: number): ScannedPage {
  const rowBytes = (width + 7) >> 3
  const bits = Buffer.alloc(rowBytes * height, 0xff)
  for (let y = height >> 2; y < height >> 1; y += 1) bits.fill(0, y * rowBytes + 4, y * rowBytes + (rowBytes >> 1))
  return { picture: deflateSync(bits), width, height, filter: 'FlateDecode' }
}

/** A minimal PDF of pictures and texts. */
export function makeScanPdf(pages: ScannedPage[]): Buffer {
  const objects: Buffer[] = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from(`<</Type/Pages/Kids[${pages.map((_, n) => `${4 + n * 3} 0 R`).join(' ')}]/Count ${pages.length}>>`),
    Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'),
  ]
  for (const [n, page] of pages.entries()) {
    const first = 4 + n * 3
    const resources = `/Font<</F1 3 0 R>>${'text' in page ? '' : `/XObject<</I ${first + 2} 0 R>>`}`
    const drawn =
      'text' in page
        ? `BT /F1 12 Tf 72 720 Td (${page.text}) Tj ET`
        : `q 595 0 0 842 0 0 cm /I Do Q ${page.words ?? ''}`
    objects.push(
      Buffer.from(
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<${resources}>>/Contents ${first + 1} 0 R>>`,
      ),
      stream('', Buffer.from(drawn)),
      'text' in page ? Buffer.from('null') : pictureOf(page),
    )
  }
  return joined(objects)
}

function pictureOf({ picture, width, height, filter = 'DCTDecode' }: Exclude<ScannedPage, { text: string }>): Buffer {
  const colours =
    filter === 'DCTDecode' ? '/ColorSpace/DeviceRGB/BitsPerComponent 8' : '/ColorSpace/DeviceGray/BitsPerComponent 1'
  return stream(`/Type/XObject/Subtype/Image/Width ${width}/Height ${height}${colours}/Filter/${filter}`, picture)
}

const stream = (head: string, bytes: Buffer) =>
  Buffer.concat([Buffer.from(`<<${head}/Length ${bytes.length}>>stream\n`), bytes, Buffer.from('\nendstream')])

function joined(objects: Buffer[]): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')]
  let length = parts[0]?.length ?? 0
  const offsets = objects.map((object, n) => {
    const at = length
    const part = Buffer.concat([Buffer.from(`${n + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    parts.push(part)
    length += part.length
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer<</Size ${size}/Root 1 0 R>>`
  return Buffer.concat([...parts, Buffer.from(`${table}\nstartxref\n${length}\n%%EOF`)])
}
