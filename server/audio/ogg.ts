import { type OggStream, oggStream, PACKET_HEAD } from './packets.ts'
import { extrapolated, type PacketSeconds } from './scan.ts'
import { LOOKED_AT, MAX_COUNTED_BYTES, MAX_FRAMES, type WindowedSound } from './sound.ts'

const TAIL = 128 * 1024

/** The claimed duration: the position of the last page, divided by the sample rate in the first. */
export async function oggSeconds(sound: WindowedSound): Promise<number | null> {
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
const MAX_SEGMENTS = 255
const SIGN = 0x4f676753
/** To look for the next page takes as long as so many packets. */
const LOST_LOOKS = 20
const CONTINUED = 1
const BEGINS = 2
/** Of one header packet. */
const MAX_SETUP = 256 * 1024

interface Stream {
  kind: OggStream | null
  headers: Buffer[]
  packets: PacketSeconds | null
  /** The packet that goes on with the next page. */
  open: { pieces: Buffer[]; bytes: number } | null
  seconds: number
}

/**
 * The duration by counting packets, because page positions can be forged. Recordings that follow each other in one file
 * are added up; of streams that run side by side the longest counts.
 */
export async function countOgg(sound: WindowedSound): Promise<number | null> {
  let at = 0
  let seconds = 0
  let streams = new Map<number, Stream>()
  let isBeginning = true
  const endLink = () => {
    seconds += Math.max(0, ...[...streams.values()].map((stream) => stream.seconds))
    streams = new Map()
  }
  let looks = 0
  while (at + PAGE_HEAD <= sound.bytes && at < MAX_COUNTED_BYTES && looks < MAX_FRAMES) {
    const head = sound.peek(at, PAGE_HEAD + MAX_SEGMENTS) ?? (await sound.read(at, PAGE_HEAD + MAX_SEGMENTS))
    if (head.length < PAGE_HEAD) break
    if (head.readUInt32BE(0) !== SIGN) {
      // Players look for the next page, too.
      at += await bytesToSign(sound, at)
      looks += LOST_LOOKS
      continue
    }
    const size = pageBytes(head)
    const page = sound.peek(at, size) ?? (await sound.read(at, size))
    const segments = head[26] ?? 0
    if (looks % LOOKED_AT < segments) await sound.pause()
    looks += segments + 1
    const flags = page[5] ?? 0
    const isFirst = (flags & BEGINS) !== 0
    if (isFirst && !isBeginning) endLink()
    isBeginning = isFirst
    const serial = page.readUInt32LE(14)
    if (isFirst || !streams.has(serial))
      streams.set(serial, { kind: null, headers: [], packets: null, open: null, seconds: 0 })
    const stream = streams.get(serial)
    at += stream ? readPage(page, stream, (flags & CONTINUED) !== 0) : page.length
  }
  endLink()
  return extrapolated(seconds, sound.bytes, Math.min(at, sound.bytes))
}

const pageBytes = (head: Buffer) => {
  const end = PAGE_HEAD + (head[26] ?? 0)
  let bytes = end
  for (let at = PAGE_HEAD; at < end; at += 1) bytes += head[at] ?? 0
  return bytes
}

const LOOKED_THROUGH = 64 * 1024

async function bytesToSign(sound: WindowedSound, at: number): Promise<number> {
  const bytes = sound.peek(at, LOOKED_THROUGH) ?? (await sound.read(at, LOOKED_THROUGH))
  const next = bytes.indexOf('OggS', 1)
  return next > 0 ? next : Math.max(1, bytes.length - 3)
}

/** Returns the bytes of the page. */
function readPage(page: Buffer, stream: Stream, isContinued: boolean): number {
  const segments = page[26] ?? 0
  let at = PAGE_HEAD + segments
  let packet = isContinued ? stream.open : null
  // The end of a packet whose beginning is lost.
  let isLost = isContinued && packet === null
  for (let segment = 0; segment < segments; segment += 1) {
    const length = page[PAGE_HEAD + segment] ?? 0
    packet ??= { pieces: [], bytes: 0 }
    const wanted = stream.packets ? PACKET_HEAD : MAX_SETUP
    if (packet.bytes < wanted) packet.pieces.push(page.subarray(at, at + length))
    packet.bytes += length
    at += length
    if (length === 255) continue
    if (!isLost) endPacket(stream, packet)
    isLost = false
    packet = null
  }
  stream.open = packet && { ...packet, pieces: [Buffer.concat(packet.pieces)] }
  return at
}

function endPacket(stream: Stream, { pieces, bytes }: { pieces: Buffer[]; bytes: number }): void {
  if (bytes === 0) return
  const [only] = pieces
  const content = only && pieces.length === 1 ? only : Buffer.concat(pieces)
  if (stream.packets) {
    stream.seconds += stream.packets(content, bytes)
    return
  }
  if (stream.headers.length === 0) stream.kind = oggStream(content)
  if (!stream.kind) return
  // A copy, so that the window need not stay in memory.
  stream.headers.push(Buffer.from(content))
  if (stream.headers.length < stream.kind.headers) return
  stream.packets = stream.kind.open(stream.headers)
  stream.headers = []
  if (stream.packets === null) stream.kind = null
}
