import { afterTags, extrapolated } from './scan.ts'
import { LOOKED_AT, MAX_COUNTED_BYTES, refuseDamaged, type WindowedSound } from './sound.ts'

/** The longest header of a frame. */
export const FLAC_HEAD = 16
const WINDOW = 256 * 1024
/** A false header takes as long as so many other signs. */
const FALSE_LOOKS = 7
/** Sound has one sign in 256 bytes. */
const MAX_LOOKS = 2_000_000
const RATES = [0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]

const CRC8 = Uint8Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ (crc & 0x80 ? 0x07 : 0)) & 0xff
  return crc
})

/** The claimed duration: the number of samples in the first block of metadata. */
export async function flacSeconds(sound: WindowedSound): Promise<number | null> {
  const start = await afterTags(sound)
  const head = await sound.read(start, 42)
  if (head.length < 42 || head.toString('latin1', 0, 4) !== 'fLaC') return null
  const rate = flacRate(head, 8)
  const samples = ((head[21] ?? 0) & 0x0f) * 2 ** 32 + head.readUInt32BE(22)
  return rate > 0 && samples > 0 ? samples / rate : null
}

/** The sample rate in the block STREAMINFO that begins at `at`. */
export const flacRate = (bytes: Buffer, at: number): number =>
  bytes.length >= at + 13 ? bytes.readUIntBE(at + 10, 3) >> 4 : 0

/** The duration by counting frames. They do not name their size, so their headers are looked for; each has a checksum. */
export async function countFlac(sound: WindowedSound): Promise<number | null> {
  const start = await afterTags(sound)
  const head = await sound.read(start, 42)
  if (head.toString('latin1', 0, 4) !== 'fLaC') return null
  const usual = flacRate(head, 8)
  const end = Math.min(sound.bytes, start + MAX_COUNTED_BYTES)
  let [seconds, looks, nextPause] = [0, 0, LOOKED_AT]
  let before = { rate: 0, uncounted: 0 }
  for (let base = start; base < end; base += WINDOW - FLAC_HEAD) {
    const window = await sound.read(base, WINDOW)
    const last = window.length < WINDOW ? window.length : WINDOW - FLAC_HEAD
    for (let at = window.indexOf(0xff); at >= 0 && at < last; at = window.indexOf(0xff, at + 1)) {
      looks += 1
      if (looks > MAX_LOOKS) throw refuseDamaged()
      if (looks > nextPause) {
        await sound.pause()
        nextPause = looks + LOOKED_AT
      }
      if (((window[at + 1] ?? 0) & 0xfe) !== 0xf8) continue
      const frame = flacFrame(window, at, usual)
      looks += frame ? 0 : FALSE_LOOKS
      if (!frame) continue
      // Chance makes a header of any rate: one counts when its neighbour or the file has the same.
      const isLikeBefore = before.rate === frame.rate
      const counts = isLikeBefore || frame.rate === usual
      seconds += (counts ? frame.seconds : 0) + (isLikeBefore ? before.uncounted : 0)
      before = { rate: frame.rate, uncounted: counts ? 0 : frame.seconds }
    }
  }
  return extrapolated(seconds, sound.bytes - start, end - start)
}

/** A header with a right checksum; `usual` is the rate where the frame names none. */
export function flacFrame(bytes: Buffer, at: number, usual: number): { rate: number; seconds: number } | null {
  const [second, third, fourth] = [bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0]
  if (bytes[at] !== 0xff || (second & 0xfe) !== 0xf8 || fourth & 1) return null
  const [sizeCode, rateCode, channels, bits] = [third >> 4, third & 15, fourth >> 4, (fourth >> 1) & 7]
  if (sizeCode === 0 || rateCode === 15 || channels > 10 || bits === 3) return null
  let next = at + 4 + numberBytes(bytes[at + 4] ?? 0)
  const take = (length: number) => {
    next += length
    return next <= bytes.length ? bytes.readUIntBE(next - length, length) : 0
  }
  const samples =
    sizeCode >= 8
      ? 256 << (sizeCode - 8)
      : sizeCode === 1
        ? 192
        : sizeCode < 6
          ? 576 << (sizeCode - 2)
          : take(sizeCode - 5) + 1
  const rate =
    rateCode === 0
      ? usual
      : rateCode === 12
        ? take(1) * 1000
        : rateCode > 12
          ? take(2) * (rateCode === 14 ? 10 : 1)
          : (RATES[rateCode] ?? 0)
  if (next >= bytes.length || rate === 0) return null
  let crc = 0
  for (let byte = at; byte < next; byte += 1) crc = CRC8[crc ^ (bytes[byte] ?? 0)] ?? 0
  return crc === bytes[next] ? { rate, seconds: samples / rate } : null
}

/** The bytes of the number of a frame, which is written as UTF-8 writes a character. */
function numberBytes(first: number): number {
  if (first < 0x80) return 1
  return Math.max(1, Math.min(7, Math.clz32(~(first << 24))))
}
