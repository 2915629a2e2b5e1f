import { FLAC_HEAD, flacFrame, flacRate } from './flac.ts'
import { mp3Frame } from './mp3.ts'
import type { PacketSeconds } from './scan.ts'
import { vorbisPackets } from './vorbis.ts'

/** So many bytes of a packet are enough. */
export const PACKET_HEAD = Math.max(FLAC_HEAD, 16)

/** Milliseconds per frame by the upper five bits of the packet's first byte (RFC 6716, table 2). */
const OPUS_MS = [
  ...[10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60],
  ...[10, 20, 10, 20],
  ...[2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20],
]
/** The limit of RFC 6716. */
const MAX_OPUS_MS = 120

export const opusPacket: PacketSeconds = (packet) => {
  const [first = 0, second = 0] = packet
  const code = first & 3
  const frames = code === 0 ? 1 : code === 3 ? second & 0x3f : 2
  return Math.min((OPUS_MS[first >> 3] ?? 0) * frames, MAX_OPUS_MS) / 1000
}

const flacPacket =
  (rate: number): PacketSeconds =>
  (packet) =>
    flacFrame(packet, 0, rate)?.seconds ?? 0

export interface OggStream {
  /** Packets at the beginning that are no sound. */
  headers: number
  /** Called with the headers, as soon as all are there. */
  open: (headers: Buffer[]) => PacketSeconds | null
}

/** What an Ogg stream is by its first packet; null for a picture, for text and for kinds that are not counted. */
export function oggStream(first: Buffer): OggStream | null {
  if (first.toString('latin1', 0, 8) === 'OpusHead') return { headers: 2, open: () => opusPacket }
  if (first.toString('latin1', 0, 7) === '\x01vorbis')
    return { headers: 3, open: ([identity, , setup]) => (identity && setup ? vorbisPackets(identity, setup) : null) }
  if (first.toString('latin1', 1, 5) === 'FLAC') return { headers: 1, open: () => flacPacket(flacRate(first, 17)) }
  if (first.toString('latin1', 0, 8) === 'Speex   ' && first.length >= 72) {
    const seconds = (first.readUInt32LE(56) * first.readUInt32LE(64)) / first.readUInt32LE(36)
    return { headers: 2 + first.readUInt32LE(68), open: () => () => (Number.isFinite(seconds) ? seconds : 0) }
  }
  return null
}

export interface WebmTrack {
  codec: string
  /** What the codec needs to begin. */
  setup: Buffer
  rate: number
  channels: number
  bits: number
}

/** The same for a track of WebM or Matroska. */
export function webmPackets({ codec, setup, rate, channels, bits }: WebmTrack): PacketSeconds | null {
  if (codec === 'A_OPUS') return opusPacket
  if (codec === 'A_FLAC') return flacPacket(setup.toString('latin1', 0, 4) === 'fLaC' ? flacRate(setup, 8) : rate)
  if (codec === 'A_VORBIS') return vorbisInMatroska(setup)
  if (codec.startsWith('A_MPEG/')) return (packet) => mp3Frame(packet, 0)?.seconds ?? 0
  if (codec.startsWith('A_AAC')) {
    const { samples, rate: real } = readAacSetup(setup) ?? { samples: 1024, rate }
    return real > 0 ? () => samples / real : null
  }
  const perSecond = (rate * channels * bits) / 8
  return codec.startsWith('A_PCM/') && perSecond > 0 ? (_, bytes) => bytes / perSecond : null
}

/** Three headers, the sizes of the first two before them. */
function vorbisInMatroska(setup: Buffer): PacketSeconds | null {
  let at = 1
  const sizes = [0, 1].map(() => {
    let size = 0
    while (setup[at] === 255) {
      size += 255
      at += 1
    }
    return size + (setup[at++] ?? 0)
  })
  const [identity = 0, comment = 0] = sizes
  return setup[0] === 2
    ? vorbisPackets(setup.subarray(at, at + identity), setup.subarray(at + identity + comment))
    : null
}

export const AAC_RATES = [
  ...[96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350],
]
/** Kinds of AAC whose frames have 1024 samples or 960, and those of low delay. */
const USUAL = [1, 2, 3, 4, 6, 7, 17, 19, 20]
const LOW_DELAY = [23, 39]
const DOUBLED = [5, 29]

/** The samples of a frame and their rate by the AudioSpecificConfig, which a decoder needs; null for other kinds. */
export function readAacSetup(setup: Buffer): { samples: number; rate: number } | null {
  let at = 0
  const take = (bits: number) => {
    let value = 0
    for (const to = at + bits; at < to; at += 1) value = value * 2 + (((setup[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
    return value
  }
  const takeKind = () => {
    const kind = take(5)
    return kind === 31 ? 32 + take(6) : kind
  }
  const takeRate = () => {
    const code = take(4)
    return code === 15 ? take(24) : (AAC_RATES[code] ?? 0)
  }
  let kind = takeKind()
  const rate = takeRate()
  take(4)
  if (DOUBLED.includes(kind)) {
    takeRate()
    kind = takeKind()
  }
  const isShort = take(1) === 1
  const samples = USUAL.includes(kind) ? (isShort ? 960 : 1024) : LOW_DELAY.includes(kind) ? (isShort ? 480 : 512) : 0
  return rate > 0 && samples > 0 ? { samples, rate } : null
}
