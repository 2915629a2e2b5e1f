import { AAC_RATES } from './packets.ts'
import { countFrames, extrapolated, type Frame } from './scan.ts'
import { LOOKED_AT, MAX_FRAMES, type Sound, type WindowedSound } from './sound.ts'

/** Bytes of a frame by its type, with the byte of the type; 20 ms each. */
const AMR = [13, 14, 16, 18, 20, 21, 27, 32, 6]
const AMR_WIDE = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6]
const AMR_SECONDS = 0.02
const EMPTY_FRAME = 15

/** The duration of a recording of an old phone by counting its frames. */
export async function countAmr(sound: WindowedSound): Promise<number | null> {
  const head = (await sound.read(0, 9)).toString('latin1')
  const isWide = head.startsWith('#!AMR-WB\n')
  if (!isWide && !head.startsWith('#!AMR\n')) return null
  const sizes = isWide ? AMR_WIDE : AMR
  let [at, frames] = [isWide ? 9 : 6, 0]
  while (at < sound.bytes && frames < MAX_FRAMES) {
    if (frames % LOOKED_AT === 0) await sound.pause()
    const [first = 0] = sound.peek(at, 1) ?? (await sound.read(at, 1))
    const type = (first >> 3) & 0x0f
    const size = type === EMPTY_FRAME ? 1 : sizes[type]
    if (!size) break
    at += size
    frames += 1
  }
  const counted = frames < MAX_FRAMES ? sound.bytes : at
  return extrapolated(frames * AMR_SECONDS, sound.bytes, counted)
}

const ADTS_HEAD = 7

/** The duration of bare AAC by counting its frames: each begins with a header of its own. */
export const countAac = (sound: WindowedSound): Promise<number | null> => countFrames(sound, ADTS_HEAD, adtsFrame)

function adtsFrame(window: Buffer, at: number): Frame | null {
  if (at + ADTS_HEAD > window.length || window[at] !== 0xff || ((window[at + 1] ?? 0) & 0xf6) !== 0xf0) return null
  const rate = AAC_RATES[((window[at + 2] ?? 0) >> 2) & 0x0f]
  const bytes = ((window.readUInt32BE(at + 3) >> 13) & 0x1fff) >>> 0
  return rate && bytes >= ADTS_HEAD ? { bytes, seconds: (1024 * (((window[at + 6] ?? 0) & 3) + 1)) / rate } : null
}

const MAX_CHUNKS = 200

/** The duration of a CAF file: plain samples are counted; for others the table of packets has their number. */
export async function cafLength(sound: Sound): Promise<{ counted: number | null; claimed: number | null }> {
  let at = 8
  let [rate, bytesPerPacket, framesPerPacket] = [0, 0, 0]
  let [counted, claimed]: [number | null, number | null] = [null, null]
  for (let chunk = 0; chunk < MAX_CHUNKS && at + 12 <= sound.bytes; chunk += 1) {
    const head = await sound.read(at, 12)
    if (head.length < 12) break
    const name = head.toString('latin1', 0, 4)
    const size = head.readBigInt64BE(4)
    if (name === 'desc') {
      const desc = await sound.read(at + 12, 32)
      if (desc.length < 32) break
      ;[rate, bytesPerPacket, framesPerPacket] = [desc.readDoubleBE(0), desc.readUInt32BE(16), desc.readUInt32BE(20)]
    }
    const isRate = rate >= 1000 && rate <= 768_000
    if (name === 'pakt' && isRate) {
      const table = await sound.read(at + 12, 16)
      if (table.length === 16) claimed = Number(table.readBigInt64BE(8)) / rate
    }
    if (name === 'data' && isRate && bytesPerPacket > 0) {
      const there = sound.bytes - at - 16
      const bytes = size < 0n ? there : Math.min(Number(size) - 4, there)
      counted = (Math.floor(bytes / bytesPerPacket) * framesPerPacket) / rate
    }
    if (size < 0n) break
    at += 12 + Number(size)
  }
  return { counted, claimed }
}
