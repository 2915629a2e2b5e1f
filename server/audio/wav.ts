import type { Sound } from './sound.ts'

/** The layout of the samples in an uncompressed WAV. */
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

/** Reads the header of an uncompressed WAV; null for anything else and for contradictory headers. */
export async function readWav(sound: Sound): Promise<Wav | null> {
  const head = await sound.read(0, 12)
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8, 12) !== 'WAVE')
    return null
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

/** The header of a WAV with `frames` frames of the given format. */
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
