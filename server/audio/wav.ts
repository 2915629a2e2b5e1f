import { countMp3 } from './mp3.ts'
import { type Sound, windowed } from './sound.ts'

export interface Wav {
  sample: 'int' | 'float'
  bits: number
  channels: number
  rate: number
  /** Bytes of one frame, which is one sample of each channel. */
  frameBytes: number
  dataAt: number
  frames: number
}

const INT = 1
const FLOAT = 3
const EXTENSIBLE = 0xfffe
const MAX_CHUNKS = 200

interface Format extends Omit<Wav, 'dataAt' | 'frames'> {}

/** Null for anything but an uncompressed WAV and for contradictory headers. */
export async function readWav(sound: Sound): Promise<Wav | null> {
  const head = await sound.read(0, 12)
  if (head.length < 12 || !isRiff(head) || head.toString('latin1', 8, 12) !== 'WAVE') return null
  let format: Format | null = null
  let at = 12
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
    const start = await sound.read(at, 8)
    if (start.length < 8) return null
    const name = start.toString('latin1', 0, 4)
    const size = start.readUInt32LE(4)
    if (name === 'fmt ') format = formatOf(await sound.read(at + 8, Math.min(size, 40)))
    if (name === 'data') return format && withData(format, at + 8, size, sound.bytes)
    // Chunks begin at even offsets.
    at += 8 + size + (size % 2)
  }
  return null
}

/** RF64 and BW64 are WAV files that may be larger than 4 GB; the size of their data is in another chunk. */
const isRiff = (head: Buffer) => ['RIFF', 'RF64', 'BW64'].includes(head.toString('latin1', 0, 4))

/** The length of a compressed WAV: blocks of so many samples where the header says it, else bytes per second. */
export async function compressedWavLength(sound: Sound): Promise<{ counted: number | null; claimed: number | null }> {
  let format: Buffer = Buffer.alloc(0)
  let at = 12
  for (let chunk = 0; chunk < MAX_CHUNKS && isRiff(await sound.read(0, 4)); chunk += 1) {
    const start = await sound.read(at, 8)
    if (start.length < 8) break
    const [name, size] = [start.toString('latin1', 0, 4), start.readUInt32LE(4)]
    if (name === 'fmt ') format = await sound.read(at + 8, Math.min(size, 40))
    if (name === 'data' && format.length >= 16) {
      const there = Math.max(0, sound.bytes - at - 8)
      if (format.readUInt16LE(0) === MP3) return { counted: await countMp3(insideOf(sound, at + 8)), claimed: null }
      return lengthOf(format, size === 0 || size === 0xffffffff ? there : Math.min(size, there))
    }
    at += 8 + size + (size % 2)
  }
  return { counted: null, claimed: null }
}

const insideOf = ({ bytes, read }: Sound, start: number) =>
  windowed({ bytes: bytes - start, read: (offset, length) => read(start + offset, length) })

const MP3 = 0x55
/** ADPCM of Microsoft and of IMA, GSM: blocks of so many samples. */
const BLOCKS = [0x02, 0x11, 0x31]
/** A-law and mu-law: a byte is a sample. */
const BYTES = [0x06, 0x07]

function lengthOf(format: Buffer, bytes: number) {
  const [rate, perSecond, block] = [format.readUInt32LE(4), format.readUInt32LE(8), format.readUInt16LE(12)]
  const [kind, channels] = [format.readUInt16LE(0), format.readUInt16LE(2)]
  if (BYTES.includes(kind) && channels > 0 && rate > 0) return { counted: bytes / channels / rate, claimed: null }
  const samples = format.length >= 20 && BLOCKS.includes(kind) ? format.readUInt16LE(18) : 0
  if (samples > 0 && block > 0 && rate > 0) return { counted: ((bytes / block) * samples) / rate, claimed: null }
  return { counted: null, claimed: perSecond > 0 ? bytes / perSecond : null }
}

function formatOf(chunk: Buffer): Format | null {
  if (chunk.length < 16) return null
  const tag = chunk.readUInt16LE(0)
  const kind = tag === EXTENSIBLE && chunk.length >= 26 ? chunk.readUInt16LE(24) : tag
  const [channels, rate, frameBytes, bits] = [
    chunk.readUInt16LE(2),
    chunk.readUInt32LE(4),
    chunk.readUInt16LE(12),
    chunk.readUInt16LE(14),
  ]
  const isPlain = kind === INT ? [8, 16, 24, 32].includes(bits) : kind === FLOAT && [32, 64].includes(bits)
  const isSound = channels > 0 && channels <= 64 && rate >= 1000 && rate <= 768_000
  if (!isPlain || !isSound || frameBytes !== (channels * bits) / 8) return null
  return { sample: kind === INT ? 'int' : 'float', bits, channels, rate, frameBytes }
}

/** The length may be missing or too large, in a streamed or truncated file: then the bytes that are there count. */
function withData(format: Format, dataAt: number, size: number, bytes: number): Wav | null {
  const there = Math.max(0, bytes - dataAt)
  const known = size === 0 || size === 0xffffffff ? there : Math.min(size, there)
  const frames = Math.floor(known / format.frameBytes)
  return frames > 0 ? { ...format, dataAt, frames } : null
}

export const secondsOf = ({ frames, rate }: Pick<Wav, 'frames' | 'rate'>) => frames / rate

export function wavHeader({ sample, bits, channels, rate, frameBytes }: Format, frames: number): Buffer {
  const header = Buffer.alloc(44)
  const data = frames * frameBytes
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + data, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(sample === 'int' ? INT : FLOAT, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * frameBytes, 28)
  header.writeUInt16LE(frameBytes, 32)
  header.writeUInt16LE(bits, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(data, 40)
  return header
}

/** One sample of the first channel, from -1 to 1. */
function sampleAt(bytes: Buffer, at: number, { sample, bits }: Pick<Wav, 'sample' | 'bits'>): number {
  if (sample === 'float') return bits === 64 ? bytes.readDoubleLE(at) : bytes.readFloatLE(at)
  if (bits === 8) return (bytes.readUInt8(at) - 128) / 128
  return bytes.readIntLE(at, bits / 8) / 2 ** (bits - 1)
}

/** The loudness of each group of `step` frames: the mean square over all channels. */
export function loudness(bytes: Buffer, wav: Wav, step: number): number[] {
  const width = wav.bits / 8
  const found: number[] = []
  const frames = Math.floor(bytes.length / wav.frameBytes)
  for (let from = 0; from < frames; from += step) {
    const to = Math.min(frames, from + step)
    let sum = 0
    for (let at = from * wav.frameBytes; at < to * wav.frameBytes; at += width) {
      const value = sampleAt(bytes, at, wav)
      if (Number.isFinite(value)) sum += value * value
    }
    found.push(sum / ((to - from) * wav.channels))
  }
  return found
}

/** The same for a whole recording, read a minute at a time. */
export async function recordingLoudness(sound: Sound, wav: Wav, step: number): Promise<number[]> {
  const window = Math.max(1, Math.floor((wav.rate * 60) / step)) * step
  const found: number[] = []
  for (let from = 0; from < wav.frames; from += window) {
    const frames = Math.min(window, wav.frames - from)
    const bytes = await sound.read(wav.dataAt + from * wav.frameBytes, frames * wav.frameBytes)
    found.push(...loudness(bytes, wav, step))
  }
  return found
}

export interface CutLimits {
  maxBytes: number
  maxSeconds: number
}

/** How far before the limit a pause is searched, and how long a pause is. */
const SEARCH_SECONDS = 20
const PAUSE_SECONDS = 0.2
const STEPS_PER_PAUSE = 4
const HEADER_BYTES = 44

/** Splits a recording into parts within the limits, each cut at the quietest moment shortly before the limit. */
export async function planCuts(
  sound: Sound,
  wav: Wav,
  { maxBytes, maxSeconds }: CutLimits,
): Promise<{ from: number; to: number }[]> {
  const most = Math.min(Math.floor((maxBytes - HEADER_BYTES) / wav.frameBytes), Math.floor(maxSeconds * wav.rate))
  const parts: { from: number; to: number }[] = []
  let from = 0
  while (wav.frames - from > most) {
    const to = await findPause(sound, wav, from, from + most)
    parts.push({ from, to })
    from = to
  }
  return [...parts, { from, to: wav.frames }]
}

/** The middle of the quietest pause before `limit`, the latest of equal ones, never in the first half of the part. */
async function findPause(sound: Sound, wav: Wav, from: number, limit: number): Promise<number> {
  const step = Math.max(1, Math.floor((wav.rate * PAUSE_SECONDS) / STEPS_PER_PAUSE))
  const earliest = Math.max(limit - wav.rate * SEARCH_SECONDS, Math.ceil((from + limit) / 2))
  const bytes = await sound.read(wav.dataAt + earliest * wav.frameBytes, (limit - earliest) * wav.frameBytes)
  const steps = loudness(bytes, wav, step)
  if (steps.length <= STEPS_PER_PAUSE) return limit
  let best = { loud: Number.POSITIVE_INFINITY, at: limit }
  for (let first = 0; first + STEPS_PER_PAUSE < steps.length; first += 1) {
    const loud = steps.slice(first, first + STEPS_PER_PAUSE).reduce((sum, value) => sum + value, 0)
    if (loud <= best.loud) best = { loud, at: earliest + (first + STEPS_PER_PAUSE / 2) * step }
  }
  return best.at
}

/** One part as a complete WAV file. */
export async function partOf(sound: Sound, wav: Wav, { from, to }: { from: number; to: number }): Promise<Buffer> {
  const data = await sound.read(wav.dataAt + from * wav.frameBytes, (to - from) * wav.frameBytes)
  return Buffer.concat([wavHeader(wav, to - from), data])
}
