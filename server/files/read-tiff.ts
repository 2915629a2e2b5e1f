import { BROKEN, Unreadable } from './rejections.ts'
import type { ReadText } from './text.ts'

const MAX_PAGES = 2000

/** A TIFF has no text: every page of it is a picture to read. Pages are counted along the chain of their headers. */
export function readTiff(bytes: Uint8Array): ReadText {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const isLittle = view.getUint16(0) === 0x4949
    if (view.getUint16(2, isLittle) !== 42) throw new Unreadable(BROKEN)
    const seen = new Set<number>()
    for (let at = view.getUint32(4, isLittle); at !== 0 && !seen.has(at) && seen.size < MAX_PAGES; ) {
      seen.add(at)
      at = view.getUint32(at + 2 + view.getUint16(at, isLittle) * 12, isLittle)
    }
    if (seen.size === 0) throw new Unreadable(BROKEN)
    const pages = Array.from(seen, (_, n) => ({ number: n + 1, text: '', needsReading: true }))
    return { content: '', pages: [], pdf: { pageCount: pages.length, pages } }
  } catch (error) {
    throw error instanceof RangeError ? new Unreadable(BROKEN) : error
  }
}
