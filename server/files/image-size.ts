/** Fewer bytes at the end of the file. */
export type ReadAt = (offset: number, length: number) => Promise<Buffer>

export interface Size {
  width: number
  height: number
}

/** Width and height from the header, without decoding pixels; null for an invalid header. */
export async function imageSize(read: ReadAt, mime: string): Promise<Size | null> {
  const head = await read(0, 32)
  const size = mime === 'image/jpeg' ? await jpegSize(read) : headerSize(head, mime)
  return size && size.width > 0 && size.height > 0 ? size : null
}

function headerSize(head: Buffer, mime: string): Size | null {
  if (head.length < 30) return null
  if (mime === 'image/png' && head.toString('latin1', 12, 16) === 'IHDR')
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
  if (mime === 'image/gif') return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
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
