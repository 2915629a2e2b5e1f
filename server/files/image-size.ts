/** Fewer bytes at the end of the file. */
export type ReadAt = (offset: number, length: number) => Promise<Buffer>

export interface Size {
  width: number
  height: number
}

/** Width and height from the header, without decoding pixels; null for an invalid header. */
export async function imageSize(read: ReadAt, mime: string): Promise<Size | null> {
  const head = await read(0, 32)
  const size = await sizeOf(read, head, mime)
  return size && size.width > 0 && size.height > 0 ? size : null
}

async function sizeOf(read: ReadAt, head: Buffer, mime: string): Promise<Size | null> {
  if (mime === 'image/jpeg') return jpegSize(read)
  if (mime === 'image/tiff') return tiffSize(read)
  return /hei[cf]|avif/.test(mime) ? boxSize(await read(0, BOXES)) : headerSize(head, mime)
}

function headerSize(head: Buffer, mime: string): Size | null {
  if (head.length < 30) return null
  if (mime === 'image/png' && head.toString('latin1', 12, 16) === 'IHDR')
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
  if (mime === 'image/gif') return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
  if (mime === 'image/bmp') return bmpSize(head)
  if (mime === 'image/webp') return webpSize(head)
  return null
}

function webpSize(head: Buffer): Size | null {
  const chunk = head.toString('latin1', 12, 16)
  if (chunk === 'VP8X') return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
  if (chunk === 'VP8L' && head[20] === 0x2f) {
    const bits = head.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (chunk === 'VP8 ' && head.readUIntBE(23, 3) === 0x9d012a)
    return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
  return null
}

const MAX_SEGMENTS = 500

/** Goes through the segments, because the frame header comes after previews and profiles of any length. */
async function jpegSize(read: ReadAt): Promise<Size | null> {
  let offset = 2
  for (let segment = 0; segment < MAX_SEGMENTS; segment += 1) {
    const head = await read(offset, 9)
    if (head.length < 9 || head[0] !== 0xff) return null
    const marker = head[1] ?? 0
    if (marker === 0xff) {
      offset += 1
      continue
    }
    if (isFrame(marker)) return { height: head.readUInt16BE(5), width: head.readUInt16BE(7) }
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    const isOver = marker === 0xd9 || marker === 0xda
    if (isOver) return null
    offset += isBare ? 2 : 2 + Math.max(2, head.readUInt16BE(2))
  }
  return null
}

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

/** A negative height says that the rows begin at the top. */
const bmpSize = (head: Buffer): Size =>
  head.readUInt32LE(14) === 12
    ? { width: head.readUInt16LE(18), height: head.readUInt16LE(20) }
    : { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) }

const BOXES = 64 * 1024

/** The largest of the sizes in the properties of a HEIC or AVIF file: the others are those of tiles and previews. */
function boxSize(head: Buffer): Size | null {
  let largest: Size | null = null
  for (let at = head.indexOf('ispe'); at >= 0 && at + 16 <= head.length; at = head.indexOf('ispe', at + 4)) {
    const size = { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) }
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}

const MAX_TAGS = 500

/** The tags 256 and 257 of the first image of a TIFF, in either order of bytes. */
async function tiffSize(read: ReadAt): Promise<Size | null> {
  const head = await read(0, 8)
  if (head.length < 8) return null
  const isLittle = head.toString('latin1', 0, 2) === 'II'
  const short = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at))
  const long = (bytes: Buffer, at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  const start = long(head, 4)
  const count = await read(start, 2)
  if (count.length < 2) return null
  const tags = await read(start + 2, Math.min(short(count, 0), MAX_TAGS) * 12)
  const tag = (wanted: number) => {
    for (let at = 0; at + 12 <= tags.length; at += 12)
      if (short(tags, at) === wanted) return short(tags, at + 2) === 3 ? short(tags, at + 8) : long(tags, at + 8)
    return 0
  }
  return { width: tag(256), height: tag(257) }
}
