import { MAX_COUNTED_BYTES, type Sound } from './sound.ts'

const BITRATES = {
  v1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  v2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const RATES = [44_100, 48_000, 32_000]
const WINDOW = 256 * 1024

interface Frame {
  bytes: number
  samples: number
  rate: number
}

/**
 * The duration by counting frames. The number in a Xing or VBRI header is ignored: the price depends on the duration,
 * and the sender can write any number there.
 */
export async function countMp3(sound: Sound): Promise<number | null> {
  let at = await afterTags(sound)
  let [base, window]: [number, Buffer] = [at, Buffer.alloc(0)]
  const load = async () => {
    base = at
    window = await sound.read(at, WINDOW)
  }
  const start = at
  let [seconds, isInStep] = [0, false]
  while (at + 4 <= sound.bytes && at - start < MAX_COUNTED_BYTES) {
    if (at + 4 > base + window.length) await load()
    if (window.length < 4) break
    const frame = frameOf(window, at - base)
    if (frame && !isInStep && at + frame.bytes + 4 > base + window.length) await load()
    // One valid header may be chance; two in a row are taken for frames.
    if (frame && (isInStep || isFrameAt(window, at - base + frame.bytes, at + frame.bytes + 4 > sound.bytes))) {
      isInStep = true
      seconds += frame.samples / frame.rate
      at += frame.bytes
      continue
    }
    isInStep = false
    const next = window.indexOf(0xff, at - base + 1)
    at = base + (next < 0 ? window.length : next)
  }
  const share = (sound.bytes - start) / Math.max(1, Math.min(at, sound.bytes) - start)
  return seconds > 0 ? seconds * Math.max(1, share) : null
}

const isFrameAt = (window: Buffer, at: number, isEnd: boolean) => isEnd || frameOf(window, at) !== null

async function afterTags(sound: Sound): Promise<number> {
  const head = await sound.read(0, 10)
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0)
  return 10 + size + ((head[5] ?? 0) & 0x10 ? 10 : 0)
}

function frameOf(window: Buffer, at: number): Frame | null {
  if (at + 4 > window.length || window[at] !== 0xff || ((window[at + 1] ?? 0) & 0xe0) !== 0xe0) return null
  const [second, third] = [window[at + 1] ?? 0, window[at + 2] ?? 0]
  const version = (second >> 3) & 3
  const isLayer3 = ((second >> 1) & 3) === 1
  const rate = RATES[(third >> 2) & 3]
  const isV1 = version === 3
  const kilobits = BITRATES[isV1 ? 'v1' : 'v2'][third >> 4]
  if (version === 1 || !isLayer3 || !rate || !kilobits) return null
  const real = isV1 ? rate : version === 2 ? rate / 2 : rate / 4
  const samples = isV1 ? 1152 : 576
  return { bytes: Math.floor(((samples / 8) * kilobits * 1000) / real) + ((third >> 1) & 1), samples, rate: real }
}
