import { BROKEN, Unreadable } from './rejections.ts'

export interface Pixels {
  width: number
  height: number
  /** Red, green, blue, opacity of each pixel, row by row from the top. */
  data: Uint8ClampedArray<ArrayBuffer>
}

const [PLAIN, MASKS] = [0, 3]

/** Decodes a BMP without compression, which is how programs write them; sharp does not know the format. */
export function readBmp(bytes: Uint8Array, maxPixels: number): Pixels {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.length < 26 || file.toString('latin1', 0, 2) !== 'BM') throw new Unreadable(BROKEN)
  const header = file.readUInt32LE(14)
  const isOld = header === 12
  if (!isOld && file.length < 54) throw new Unreadable(BROKEN)
  const [width, tall] = isOld
    ? [file.readUInt16LE(18), file.readUInt16LE(20)]
    : [file.readInt32LE(18), file.readInt32LE(22)]
  const height = Math.abs(tall)
  const bits = file.readUInt16LE(isOld ? 24 : 28)
  const compression = isOld ? PLAIN : file.readUInt32LE(30)
  const stride = Math.ceil((width * bits) / 32) * 4
  const start = file.readUInt32LE(10)
  const isKnown =
    [1, 4, 8, 16, 24, 32].includes(bits) && (compression === PLAIN || (compression === MASKS && bits >= 16))
  if (!isKnown || width < 1 || height < 1 || width * height > maxPixels || start + stride * height > file.length)
    throw new Unreadable(BROKEN)
  const colour = bits <= 8 ? palette(file, 14 + header, isOld ? 3 : 4, bits) : masked(file, bits, compression)
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y += 1) {
    const row = start + stride * (tall > 0 ? height - 1 - y : y)
    for (let x = 0; x < width; x += 1) data.set(colour(row, x), (y * width + x) * 4)
  }
  return { width, height, data }
}

type Colour = (row: number, x: number) => [number, number, number, number]

function palette(file: Buffer, at: number, width: number, bits: number): Colour {
  return (row, x) => {
    const byte = file[row + Math.floor((x * bits) / 8)] ?? 0
    const index = (byte >> (8 - bits - ((x * bits) % 8))) & (2 ** bits - 1)
    const entry = at + index * width
    return [file[entry + 2] ?? 0, file[entry + 1] ?? 0, file[entry] ?? 0, 255]
  }
}

function masked(file: Buffer, bits: number, compression: number): Colour {
  if (bits === 24)
    return (row, x) => [file[row + x * 3 + 2] ?? 0, file[row + x * 3 + 1] ?? 0, file[row + x * 3] ?? 0, 255]
  const usual = bits === 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff]
  const masks = usual.map((mask, at) => (compression === MASKS ? file.readUInt32LE(54 + at * 4) : mask))
  const channel = (value: number, mask: number) => {
    if (mask === 0) return 0
    const shift = 31 - Math.clz32(mask & -mask)
    return (((value & mask) >>> shift) * 255) / (mask >>> shift)
  }
  return (row, x) => {
    const value = bits === 16 ? file.readUInt16LE(row + x * 2) : file.readUInt32LE(row + x * 4)
    return [channel(value, masks[0] ?? 0), channel(value, masks[1] ?? 0), channel(value, masks[2] ?? 0), 255]
  }
}
