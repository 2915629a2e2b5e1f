import type { Sound } from './sound.ts'

const BITRATES = {
  v1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  v2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const RATES = [44_100, 48_000, 32_000]
const SEARCH_BYTES = 64 * 1024
/** Enough frames to know the mean of a file that does not say how many it has. */
const SAMPLED = 400

interface Frame {
  bytes: number
  samples: number
  rate: number
  isMono: boolean
  isV1: boolean
}

/** The length by the count of frames that the first of them tells, else by the mean of the first frames. */
export async function mp3Seconds(sound: Sound): Promise<number | null> {
  const start = await afterTags(sound)
  const found = await firstFrame(sound, start)
  if (!found) return null
  const { at, frame } = found
  const told = await toldFrames(sound, at, frame)
  if (told) return (told * frame.samples) / frame.rate
  let [place, bytes, seconds] = [at, 0, 0]
  for (let counted = 0; counted < SAMPLED; counted += 1) {
    const next = frameOf(await sound.read(place, 4))
    if (!next) break
    place += next.bytes
    bytes += next.bytes
    seconds += next.samples / next.rate
  }
  return bytes === 0 ? null : (seconds * (sound.bytes - at)) / bytes
}

async function afterTags(sound: Sound): Promise<number> {
  const head = await sound.read(0, 10)
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0)
  return 10 + size + ((head[5] ?? 0) & 0x10 ? 10 : 0)
}

/** Two frames in a row are no accident. */
async function firstFrame(sound: Sound, start: number) {
  for (let at = start; at < Math.min(start + SEARCH_BYTES, sound.bytes - 4); at += 1) {
    const frame = frameOf(await sound.read(at, 4))
    if (!frame) continue
    const next = at + frame.bytes
    if (next + 4 > sound.bytes || frameOf(await sound.read(next, 4))) return { at, frame }
  }
  return null
}

function frameOf(head: Buffer): Frame | null {
  if (head.length < 4 || head[0] !== 0xff || ((head[1] ?? 0) & 0xe0) !== 0xe0) return null
  const [second, third, fourth] = [head[1] ?? 0, head[2] ?? 0, head[3] ?? 0]
  const version = (second >> 3) & 3
  const isLayer3 = ((second >> 1) & 3) === 1
  const rate = RATES[(third >> 2) & 3]
  const isV1 = version === 3
  const kilobits = BITRATES[isV1 ? 'v1' : 'v2'][third >> 4]
  if (version === 1 || !isLayer3 || !rate || !kilobits) return null
  const real = isV1 ? rate : version === 2 ? rate / 2 : rate / 4
  const samples = isV1 ? 1152 : 576
  const bytes = Math.floor(((samples / 8) * kilobits * 1000) / real) + ((third >> 1) & 1)
  return { bytes, samples, rate: real, isMono: fourth >> 6 === 3, isV1 }
}

async function toldFrames(sound: Sound, at: number, { isV1, isMono }: Frame): Promise<number | null> {
  const side = isV1 ? (isMono ? 17 : 32) : isMono ? 9 : 17
  const xing = await sound.read(at + 4 + side, 12)
  if (/^(Xing|Info)$/.test(xing.toString('latin1', 0, 4)) && xing.length === 12 && xing.readUInt32BE(4) & 1)
    return xing.readUInt32BE(8)
  const vbri = await sound.read(at + 4 + 32, 18)
  return vbri.toString('latin1', 0, 4) === 'VBRI' && vbri.length === 18 ? vbri.readUInt32BE(14) : null
}
