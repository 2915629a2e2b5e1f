import type { Sound } from './sound.ts'
import type { Wav } from './wav.ts'

/** One sample of the first channel, from -1 to 1. */
function sampleAt(bytes: Buffer, at: number, { sample, bits }: Pick<Wav, 'sample' | 'bits'>): number {
  if (sample === 'float') return bits === 64 ? bytes.readDoubleLE(at) : bytes.readFloatLE(at)
  if (bits === 8) return (bytes.readUInt8(at) - 128) / 128
  return bytes.readIntLE(at, bits / 8) / 2 ** (bits - 1)
}

/** The loudness of each group of `step` frames: the mean square over all channels. */
export function loudness(bytes: Buffer, wav: Wav, stretch: number): number[] {
  const width = wav.bits / 8
  const found: number[] = []
  const frames = Math.floor(bytes.length / wav.frameBytes)
  for (let from = 0; from < frames; from += stretch) {
    const to = Math.min(frames, from + stretch)
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
export async function loudnessOf(sound: Sound, wav: Wav, stretch: number): Promise<number[]> {
  const step = Math.max(1, Math.floor((wav.rate * 60) / stretch)) * stretch
  const found: number[] = []
  for (let from = 0; from < wav.frames; from += step) {
    const frames = Math.min(step, wav.frames - from)
    const bytes = await sound.read(wav.dataAt + from * wav.frameBytes, frames * wav.frameBytes)
    found.push(...loudness(bytes, wav, stretch))
  }
  return found
}
