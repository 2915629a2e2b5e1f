import { MAX_COUNTED_BYTES, type Sound } from './sound.ts'

/** Milliseconds per frame by the upper five bits of the packet's first byte (RFC 6716, table 2). */
const FRAME_MS = [
  ...[10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60],
  ...[10, 20, 10, 20],
  ...[2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20],
]
/** The limit of RFC 6716. */
const MAX_PACKET_MS = 120

/** The duration of one Opus packet by its first bytes; decoders use the same, so it cannot be forged. */
export function opusPacketMs(first: number, second: number): number {
  const frame = FRAME_MS[first >> 3] ?? 0
  const code = first & 3
  const frames = code === 0 ? 1 : code === 3 ? second & 0x3f : 2
  return Math.min(frame * frames, MAX_PACKET_MS)
}

const TAIL = 128 * 1024

/** The claimed duration: the position of the last page, divided by the sample rate in the first. */
export async function oggSeconds(sound: Sound): Promise<number | null> {
  const head = await sound.read(0, 256)
  const rate = rateIn(head)
  if (!rate) return null
  const tail = await sound.read(Math.max(0, sound.bytes - TAIL), TAIL)
  for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)) {
    if (at + 14 > tail.length) continue
    const granule = tail.readBigInt64LE(at + 6)
    if (granule > 0n) return Math.max(0, Number(granule) - rate.skip) / rate.samples
  }
  return null
}

function rateIn(head: Buffer): { samples: number; skip: number } | null {
  const opus = head.indexOf('OpusHead')
  // Opus positions are always at 48 kHz, whatever the input was.
  if (opus >= 0 && opus + 12 <= head.length) return { samples: 48_000, skip: head.readUInt16LE(opus + 10) }
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1')
  if (vorbis >= 0 && vorbis + 16 <= head.length) {
    const samples = head.readUInt32LE(vorbis + 12)
    return samples > 0 ? { samples, skip: 0 } : null
  }
  return null
}

const PAGE_HEAD = 27
const CONTINUED = 1

/** The duration by counting Opus packets, because page positions can be forged. Null for other codecs. */
export async function countOggOpus(sound: Sound): Promise<number | null> {
  if (sound.bytes > MAX_COUNTED_BYTES || !(await sound.read(0, 256)).includes('OpusHead')) return null
  let [at, ms, packets] = [0, 0, 0]
  let serial: number | null = null
  for (;;) {
    const head = await sound.read(at, PAGE_HEAD + 255)
    if (head.length < PAGE_HEAD || head.toString('latin1', 0, 4) !== 'OggS') break
    const lacing = head.subarray(PAGE_HEAD, PAGE_HEAD + (head[26] ?? 0))
    const body = at + PAGE_HEAD + lacing.length
    const size = lacing.reduce((sum, length) => sum + length, 0)
    serial ??= head.readUInt32LE(14)
    if (serial === head.readUInt32LE(14)) {
      let isInside = ((head[5] ?? 0) & CONTINUED) !== 0
      let position = body
      for (const length of lacing) {
        // The first two packets are headers.
        if (!isInside && length > 0) packets += 1
        if (!isInside && length > 0 && packets > 2) {
          const packet = await sound.read(position, 2)
          ms += opusPacketMs(packet[0] ?? 0, packet[1] ?? 0)
        }
        isInside = length === 255
        position += length
      }
    }
    at = body + size
  }
  return ms > 0 ? ms / 1000 : null
}
