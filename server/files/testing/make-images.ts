import { crc32, deflateSync } from 'node:zlib'

/** A valid PNG of one colour; the size in its header can be another one. */
export function makePng(width: number, height: number, real = Math.min((width + 1) * height, 100_000)): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(real))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(name), data, Buffer.alloc(4)])
  bytes.writeUInt32BE(data.length, 0)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4)
  return bytes
}

/** The beginning of a JPEG whose frame header comes after `before` bytes of other segments. */
export function makeJpeg(width: number, height: number, before = 0): Buffer {
  const segments: Buffer[] = []
  for (let left = before; left > 0; left -= 60_000) {
    const segment = Buffer.alloc(Math.min(left, 60_000) + 4)
    segment.writeUInt16BE(0xffe1, 0)
    segment.writeUInt16BE(segment.length - 2, 2)
    segments.push(segment)
  }
  const frame = Buffer.from([0xff, 0xc2, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, frame, Buffer.from([0xff, 0xda, 0, 0, 0, 0, 0, 0, 0])])
}

export function makeGif(width: number, height: number): Buffer {
  const gif = Buffer.alloc(64)
  gif.write('GIF89a', 'latin1')
  gif.writeUInt16LE(width, 6)
  gif.writeUInt16LE(height, 8)
  return gif
}

/** The beginning of a WebP in one of its three forms. */
export function makeWebp(form: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const webp = Buffer.alloc(64)
  webp.write(`RIFF\x38\0\0\0WEBP${form}`, 'latin1')
  if (form === 'VP8X') {
    webp.writeUIntLE(width - 1, 24, 3)
    webp.writeUIntLE(height - 1, 27, 3)
  } else if (form === 'VP8L') {
    webp[20] = 0x2f
    webp.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 21)
  } else {
    webp.writeUIntBE(0x9d012a, 23, 3)
    webp.writeUInt16LE(width, 26)
    webp.writeUInt16LE(height, 28)
  }
  return webp
}
