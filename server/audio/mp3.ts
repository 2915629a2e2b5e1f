import { countFrames, type Frame } from './scan.ts'
import type { WindowedSound } from './sound.ts'

/** Kilobits per second by the layer, of MPEG 1 and of the lower sampling rates. */
const BITRATES: Record<1 | 2 | 3, { v1: number[]; v2: number[] }> = {
  1: {
    v1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    v2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  },
  2: {
    v1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    v2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  },
  3: {
    v1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    v2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  },
}
const RATES = [44_100, 48_000, 32_000]
const HEAD_BYTES = 4

/**
 * The duration by counting frames. The number in a Xing or VBRI header is ignored: the price depends on the duration,
 * and the sender can write any number there.
 */
export const countMp3 = (sound: WindowedSound): Promise<number | null> => countFrames(sound, HEAD_BYTES, mp3Frame)

const layers = [null, 3, 2, 1] as const

/** A frame of any layer: decoders of MP3 play all of them. */
export function mp3Frame(window: Buffer, at: number): Frame | null {
  if (at + HEAD_BYTES > window.length || window[at] !== 0xff || ((window[at + 1] ?? 0) & 0xe0) !== 0xe0) return null
  const [second, third] = [window[at + 1] ?? 0, window[at + 2] ?? 0]
  const version = (second >> 3) & 3
  const layer = layers[(second >> 1) & 3]
  const rate = RATES[(third >> 2) & 3]
  const isV1 = version === 3
  const kilobits = layer && BITRATES[layer][isV1 ? 'v1' : 'v2'][third >> 4]
  if (version === 1 || !layer || !rate || !kilobits) return null
  const real = isV1 ? rate : version === 2 ? rate / 2 : rate / 4
  const padding = (third >> 1) & 1
  const samples = layer === 1 ? 384 : layer === 2 || isV1 ? 1152 : 576
  const size = ((samples / 8) * kilobits * 1000) / real
  const bytes = layer === 1 ? (Math.floor(size / 4) + padding) * 4 : Math.floor(size) + padding
  return { bytes, seconds: samples / real }
}
