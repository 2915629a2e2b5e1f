import { PACKET_HEAD, type WebmTrack, webmPackets } from './packets.ts'
import { extrapolated, type PacketSeconds } from './scan.ts'
import { LOOKED_AT, MAX_COUNTED_BYTES, MAX_FRAMES, refuseDamaged, type WindowedSound } from './sound.ts'

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
const SETUP = 0x63a2
const AUDIO = 0xe1
const RATE = 0xb5
const CHANNELS = 0x9f
const BITS = 0x6264
const BLOCK = 0xa1
const SIMPLE_BLOCK = 0xa3

const containers = new Set([SEGMENT, INFO, TRACKS, CLUSTER, BLOCK_GROUP])
const NANOSECONDS = 1e9
const USUAL_SCALE = 1_000_000
/** Elements that are no sound: some at the beginning, and those around each block. */
const MAX_OTHERS = 200_000
const OTHERS_PER_BLOCK = 5
const TRACK_LOOKS = 100
const MAX_TRACK_BYTES = 1024 * 1024

interface CountedTrack {
  packets: PacketSeconds
  seconds: number
}

interface WebmFacts {
  scale: number
  duration: number | null
  cluster: number
  last: number
  /** Blocks, and the packets that share one. */
  frames: number
  tracks: Map<number, CountedTrack>
}

/** See MeasuredLength in duration.ts. */
export interface WebmLength {
  claimed: number | null
  counted: number | null
}

/**
 * The claimed duration is the longer of the header and the time of the last block. Browsers write the header before
 * they know the duration, so the file is read to its end; packets are counted by the way.
 */
export async function webmLength(sound: WindowedSound): Promise<WebmLength> {
  const found: WebmFacts = { scale: USUAL_SCALE, duration: null, cluster: 0, last: 0, frames: 0, tracks: new Map() }
  let [at, others, nextPause] = [0, 0, LOOKED_AT]
  while (at < sound.bytes && found.frames < MAX_FRAMES) {
    if (found.frames + others > nextPause) {
      await sound.pause()
      nextPause = found.frames + others + LOOKED_AT
    }
    const element = headOf(sound.peek(at, 12) ?? (await sound.read(at, 12)))
    if (!element) break
    const { name, size, headBytes } = element
    at += headBytes
    if (name === BLOCK || name === SIMPLE_BLOCK) found.frames += 1
    else others += name === TRACK ? TRACK_LOOKS : 1
    if (others > MAX_OTHERS + found.frames * OTHERS_PER_BLOCK) throw refuseDamaged()
    // Containers are entered, also those of unknown size: their children and siblings follow in the same loop.
    if (containers.has(name)) continue
    if (size === null) break
    const wanted = bytesWanted(name, size)
    if (wanted > 0) readElement(sound.peek(at, wanted) ?? (await sound.read(at, wanted)), name, size, found)
    at += size
    if (found.duration !== null && at > MAX_COUNTED_BYTES) break
  }
  const length = Math.max(found.duration ?? 0, found.last)
  const counted = Math.max(0, ...[...found.tracks.values()].map(({ seconds }) => seconds))
  return {
    claimed: length > 0 ? (length * found.scale) / NANOSECONDS : null,
    counted: extrapolated(counted, sound.bytes, Math.min(at, sound.bytes)),
  }
}

const numbers = new Set([SCALE, CLUSTER_TIME, DURATION])

/** Of a block with several packets all is needed, of another one the beginning. */
function bytesWanted(name: number, size: number): number {
  if (numbers.has(name)) return Math.min(size, 8)
  if (name === TRACK) return Math.min(size, MAX_TRACK_BYTES)
  return name === BLOCK || name === SIMPLE_BLOCK ? Math.min(size, MAX_LACED) : 0
}

/** Packets of sound are small, so a block of several is; only the head of the others is looked at. */
const MAX_LACED = 64 * 1024

function readElement(bytes: Buffer, name: number, size: number, found: WebmFacts): void {
  if (name === SCALE) found.scale = uint(bytes) || USUAL_SCALE
  if (name === CLUSTER_TIME) found.cluster = uint(bytes)
  if (name === DURATION) {
    const length = float(bytes)
    if (length > 0 && Number.isFinite(length)) found.duration = length
  }
  if (name === TRACK) readTrack(bytes, found)
  if (name === SIMPLE_BLOCK || name === BLOCK) readBlock(bytes, size, found)
}

function readTrack(bytes: Buffer, found: WebmFacts): void {
  let number = 0
  const track: WebmTrack = { codec: '', setup: Buffer.alloc(0), rate: 8000, channels: 1, bits: 0 }
  for (let at = 0; at < bytes.length; ) {
    const element = headOf(bytes.subarray(at, at + 12))
    if (!element || element.size === null) break
    at += element.headBytes
    // Its children follow.
    if (element.name === AUDIO) continue
    const value = bytes.subarray(at, at + element.size)
    if (element.name === TRACK_NUMBER) number = uint(value)
    if (element.name === CODEC) track.codec = value.toString('latin1').replace(/\0.*/s, '')
    if (element.name === SETUP) track.setup = value
    if (element.name === RATE) track.rate = float(value)
    if (element.name === CHANNELS) track.channels = uint(value)
    if (element.name === BITS) track.bits = uint(value)
    at += element.size
  }
  const packets = webmPackets(track)
  if (packets && !found.tracks.has(number)) found.tracks.set(number, { packets, seconds: 0 })
}

function readBlock(bytes: Buffer, size: number, found: WebmFacts): void {
  const numberBytes = Math.clz32(bytes[0] ?? 0) - 23
  if (numberBytes > 4 || bytes.length < numberBytes + 4) return
  let number = (bytes[0] ?? 0) & ((1 << (8 - numberBytes)) - 1)
  for (let at = 1; at < numberBytes; at += 1) number = number * 256 + (bytes[at] ?? 0)
  found.last = Math.max(found.last, found.cluster + bytes.readInt16BE(numberBytes))
  const track = found.tracks.get(number)
  if (!track) return
  const start = numberBytes + 3
  const lacing = ((bytes[start - 1] ?? 0) >> 1) & 3
  if (lacing === 0) track.seconds += track.packets(bytes.subarray(start, start + PACKET_HEAD), size - start)
  else
    for (const { at, length } of lacedPackets(bytes, start, size, lacing)) {
      found.frames += 1
      track.seconds += track.packets(bytes.subarray(at, at + PACKET_HEAD), length)
    }
}

const XIPH = 1
const EVEN = 2

/** The packets that share one block; their sizes stand before them, that of the last one follows. */
function lacedPackets(bytes: Buffer, start: number, size: number, lacing: number): { at: number; length: number }[] {
  const count = (bytes[start] ?? 0) + 1
  let at = start + 1
  const lengths: number[] = []
  while (lacing !== EVEN && lengths.length < count - 1 && at < bytes.length) {
    if (lacing === XIPH) {
      let length = 0
      while (bytes[at] === 255) {
        length += 255
        at += 1
      }
      lengths.push(length + (bytes[at] ?? 0))
      at += 1
      continue
    }
    const width = Math.clz32(bytes[at] ?? 0) - 23
    if (width > 8) break
    const first = (bytes[at] ?? 0) & ((1 << (8 - width)) - 1)
    const value = bytes.subarray(at + 1, at + width).reduce((sum, byte) => sum * 256 + byte, first)
    // The first size is whole, each other one the difference to the size before it.
    lengths.push(lengths.length === 0 ? value : (lengths.at(-1) ?? 0) + value - (2 ** (7 * width - 1) - 1))
    at += width
  }
  if (size - at < count) return []
  if (lacing === EVEN) lengths.push(...Array.from({ length: count - 1 }, () => Math.floor((size - at) / count)))
  const known = lengths.reduce((sum, length) => sum + length, 0)
  return [...lengths, size - at - known].map((length) => {
    at += length
    return { at: at - length, length }
  })
}

const float = (bytes: Buffer) =>
  bytes.length === 8 ? bytes.readDoubleBE(0) : bytes.length === 4 ? bytes.readFloatBE(0) : 0

const uint = (bytes: Buffer) => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

/** Parses an element header. Ids keep their length marker, sizes do not; a size of all ones means unknown. */
function headOf(bytes: Buffer): { name: number; size: number | null; headBytes: number } | null {
  const nameBytes = Math.clz32(bytes[0] ?? 0) - 23
  const sizeBytes = Math.clz32(bytes[nameBytes] ?? 0) - 23
  const headBytes = nameBytes + sizeBytes
  if (nameBytes > 4 || sizeBytes > 8 || bytes.length < headBytes) return null
  const mask = (1 << (8 - sizeBytes)) - 1
  let size = (bytes[nameBytes] ?? 0) & mask
  let isUnknown = size === mask
  for (let at = nameBytes + 1; at < headBytes; at += 1) {
    size = size * 256 + (bytes[at] ?? 0)
    isUnknown &&= bytes[at] === 0xff
  }
  return { name: bytes.readUIntBE(0, nameBytes), size: isUnknown ? null : size, headBytes }
}
