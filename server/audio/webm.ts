import type { Sound } from './sound.ts'

/** The names of the few elements that tell about time. */
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const SCALE = 0x2ad7b1
const DURATION = 0x4489
const CLUSTER = 0x1f43b675
const CLUSTER_TIME = 0xe7
const BLOCK_GROUP = 0xa0
const BLOCK = 0xa1
const SIMPLE_BLOCK = 0xa3

const inside = new Set([SEGMENT, INFO, CLUSTER, BLOCK_GROUP])
const NANOSECONDS = 1e9
const USUAL_SCALE = 1_000_000
const MAX_ELEMENTS = 5_000_000

interface Found {
  scale: number
  duration: number | null
  cluster: number
  last: number
}

/**
 * The length as the header tells it, else the time of the last block. A browser that records does not know the length
 * when it writes the header, so its files have to be walked to their end.
 */
export async function webmSeconds(sound: Sound): Promise<number | null> {
  const found: Found = { scale: USUAL_SCALE, duration: null, cluster: 0, last: 0 }
  let at = 0
  for (let count = 0; count < MAX_ELEMENTS && at < sound.bytes; count += 1) {
    const element = headOf(await sound.read(at, 12))
    if (!element) break
    const { name, size, headBytes } = element
    at += headBytes
    // An element without a length, and those that hold others, are entered; what comes after them follows by itself.
    if (inside.has(name)) continue
    if (size === null) break
    await learn(sound, name, at, size, found)
    if (found.duration !== null) break
    at += size
  }
  const length = found.duration ?? found.last
  return length > 0 ? (length * found.scale) / NANOSECONDS : null
}

async function learn(sound: Sound, name: number, at: number, size: number, found: Found): Promise<void> {
  if (name === SCALE) found.scale = uint(await sound.read(at, Math.min(size, 8))) || USUAL_SCALE
  if (name === CLUSTER_TIME) found.cluster = uint(await sound.read(at, Math.min(size, 8)))
  if (name === DURATION) {
    const value = await sound.read(at, Math.min(size, 8))
    const length = value.length === 8 ? value.readDoubleBE(0) : value.length === 4 ? value.readFloatBE(0) : 0
    if (length > 0 && Number.isFinite(length)) found.duration = length
  }
  if ((name === SIMPLE_BLOCK || name === BLOCK) && size > 4) {
    const block = await sound.read(at, 4)
    if (block.length === 4) found.last = Math.max(found.last, found.cluster + block.readInt16BE(1))
  }
}

const uint = (bytes: Buffer) => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

/** The name of an element keeps the mark of its length, the size does not; a size of ones is unknown. */
function headOf(bytes: Buffer): { name: number; size: number | null; headBytes: number } | null {
  const nameBytes = Math.clz32(bytes[0] ?? 0) - 23
  const sizeBytes = Math.clz32(bytes[nameBytes] ?? 0) - 23
  if (nameBytes > 4 || sizeBytes > 8 || bytes.length < nameBytes + sizeBytes) return null
  const size = bytes.subarray(nameBytes, nameBytes + sizeBytes)
  const mask = (1 << (8 - sizeBytes)) - 1
  const first = (size[0] ?? 0) & mask
  const isUnknown = first === mask && size.subarray(1).every((byte) => byte === 0xff)
  return {
    name: uint(bytes.subarray(0, nameBytes)),
    size: isUnknown ? null : size.subarray(1).reduce((sum, byte) => sum * 256 + byte, first),
    headBytes: nameBytes + sizeBytes,
  }
}
