import { getResolvedPDFJS } from 'unpdf'
import { openPdf, type PdfDocument } from './pdf/open.ts'
import { NO_PICTURE, Unreadable } from './rejections.ts'
import type { RawPicture } from './text.ts'

/** An A4 page at 600 dpi has 35 million pixels. */
const MAX_PIXELS = 40_000_000

/** As pdf.js gives an image: one bit, three or four bytes per pixel. */
interface PdfImage {
  width: number
  height: number
  data: Uint8Array | Uint8ClampedArray
}

/**
 * The image that fills a scanned page; null when nothing is drawn on the page. Nothing is rendered: a page of several
 * images, or of drawn letters, needs pdftoppm.
 */
export async function pdfPicture(bytes: Uint8Array, number: number): Promise<RawPicture | null> {
  const document = await openPdf(bytes, MAX_PIXELS)
  try {
    const page = await document.getPage(number)
    const { OPS } = await getResolvedPDFJS()
    const { fnArray, argsArray } = await page.getOperatorList()
    const found: PdfImage[] = []
    for (const [n, op] of fnArray.entries()) {
      if (op !== OPS.paintImageXObject && op !== OPS.paintInlineImageXObject) continue
      const named: unknown = argsArray[n]?.[0]
      const image = typeof named === 'string' ? await objectOf(page, named) : named
      if (isImage(image)) found.push(image)
    }
    const [largest, next] = found.toSorted((a, b) => b.width * b.height - a.width * a.height)
    if (largest && !(next && next.width * next.height * 4 > largest.width * largest.height))
      return { ...pixelsOf(largest), rotation: page.rotate }
    const drawn = new Set([
      OPS.paintImageMaskXObject,
      OPS.showText,
      OPS.fill,
      OPS.eoFill,
      OPS.stroke,
      OPS.constructPath,
    ])
    if (found.length === 0 && !fnArray.some((op) => drawn.has(op))) return null
    throw new Unreadable(NO_PICTURE)
  } finally {
    await document.destroy()
  }
}

type Page = Awaited<ReturnType<PdfDocument['getPage']>>

const objectOf = (page: Page, name: string) =>
  new Promise<unknown>((found) => (name.startsWith('g_') ? page.commonObjs : page.objs).get(name, found))

function isImage(value: unknown): value is PdfImage {
  if (typeof value !== 'object' || value === null) return false
  const { width, height, data } = value as Partial<PdfImage>
  return typeof width === 'number' && typeof height === 'number' && ArrayBuffer.isView(data)
}

function pixelsOf({ width, height, data }: PdfImage): Omit<RawPicture, 'rotation'> {
  const channels = data.length / (width * height)
  if (channels === 1 || channels === 3 || channels === 4) return { width, height, channels, data: new Uint8Array(data) }
  const rowBytes = (width + 7) >> 3
  if (data.length !== rowBytes * height) throw new Unreadable(NO_PICTURE)
  const grey = new Uint8Array(width * height)
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 1)
      if (((data[y * rowBytes + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) grey[at] = 255
  return { width, height, channels: 1, data: grey }
}
