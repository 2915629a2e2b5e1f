import { opusPacketMs } from './ogg.ts'
import { MAX_COUNTED_BYTES, type Sound } from './sound.ts'

/** Ids of the EBML elements that are needed for the duration. */
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const SCALE = 0x2ad7b1
const DURATION = 0x4489
const CLUSTER = 0x1f43b675
const CLUSTER_TIME = 0xe7
const BLOCK_GROUP = 0xa0
const TRACKS = 0x1654ae6b
const TRACK = 0xae
const TRACK_NUMBER = 0xd7
const CODEC = 0x86
const BLOCK = 0xa1
const SIMPLE_BLOCK = 0xa3

const containers = new Set([SEGMENT, INFO, TRACKS, TRACK, CLUSTER, BLOCK_GROUP])
const NANOSECONDS = 1e9
const USUAL_SCALE = 1_000_000
const MAX_ELEMENTS = 5_000_000

interface WebmFacts {
  scale: number
  duration: number | null
  cluster: number
  last: number
  track: number
  /** Numbers of the Opus tracks, and the duration of their packets. */
  opus: Set<number>
  opusMs: Map<number, number>
}

/** See MeasuredLength in duration.ts; only Opus packets are counted. */
export interface WebmLength {
  claimed: number | null
  counted: number | null
}

/**
 * The claimed duration is the longer of the header and the time of the last block. Browsers write the header before
 * they know the duration, so the file is read to its end.
 */
export async function webmLength(sound: Sound): Promise<WebmLength> {
  const found: WebmFacts = {
    ...{ scale: USUAL_SCALE, duration: null, cluster: 0, last: 0, track: 0 },
    ...{ opus: new Set(), opusMs: new Map() },
  }
  let at = 0
  for (let count = 0; count < MAX_ELEMENTS && at < sound.bytes; count += 1) {
    const element = headOf(await sound.read(at, 12))
    if (!element) break
    const { name, size, headBytes } = element
    at += headBytes
    // Containers are entered, also those of unknown size: their children and siblings follow in the same loop.
    if (containers.has(name)) continue
    if (size === null) break
    await readElement(sound, name, at, size, found)
    if (found.duration !== null && sound.bytes > MAX_COUNTED_BYTES) break
    at += size
  }
  const length = Math.max(found.duration ?? 0, found.last)
  const countedMs = Math.max(0, ...found.opusMs.values())
  return {
    claimed: length > 0 ? (length * found.scale) / NANOSECONDS : null,
    counted: countedMs > 0 ? countedMs / 1000 : null,
  }
}

async function readElement(sound: Sound, name: number, at: number, size: number, found: WebmFacts): Promise<void> {
  if (name === SCALE) found.scale = uint(await sound.read(at, Math.min(size, 8))) || USUAL_SCALE
  if (name === CLUSTER_TIME) found.cluster = uint(await sound.read(at, Math.min(size, 8)))
  if (name === DURATION) {
    const value = await sound.read(at, Math.min(size, 8))
    const length = value.length === 8 ? value.readDoubleBE(0) : value.length === 4 ? value.readFloatBE(0) : 0
    if (length > 0 && Number.isFinite(length)) found.duration = length
  }
  if (name === TRACK_NUMBER) found.track = uint(await sound.read(at, Math.min(size, 8)))
  if (name === CODEC && (await sound.read(at, Math.min(size, 16))).toString('latin1') === 'A_OPUS')
    found.opus.add(found.track)
  if ((name === SIMPLE_BLOCK || name === BLOCK) && size > 4) {
    const block = await sound.read(at, 6)
    if (block.length < 4) return
    found.last = Math.max(found.last, found.cluster + block.readInt16BE(1))
    const track = (block[0] ?? 0) & 0x7f
    if (found.opus.has(track)) {
      const ms = opusPacketMs(block[4] ?? 0, block[5] ?? 0)
      found.opusMs.set(track, (found.opusMs.get(track) ?? 0) + ms)
    }
  }
}

const uint = (bytes: Buffer) => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

/** Parses an element header. Ids keep their length marker, sizes do not; a size of all ones means unknown. */
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
