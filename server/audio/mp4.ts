import type { Sound } from './sound.ts'

const MAX_BOXES = 10_000

/** The length that the movie's header tells; null when it tells none, as files written while recording do. */
export async function mp4Seconds(sound: Sound): Promise<number | null> {
  const movie = await findBox(sound, 'moov', 0, sound.bytes)
  const header = movie && (await findBox(sound, 'mvhd', movie.from, movie.to))
  if (!header) return null
  const box = await sound.read(header.from, 32)
  if (box.length < 32) return null
  const isLong = box[0] === 1
  const scale = box.readUInt32BE(isLong ? 20 : 12)
  const length = isLong ? Number(box.readBigUInt64BE(24)) : box.readUInt32BE(16)
  const isUnknown = length === 0 || length === 0xffffffff || scale === 0
  return isUnknown ? null : length / scale
}

async function findBox(sound: Sound, wanted: string, from: number, to: number) {
  let at = from
  for (let box = 0; box < MAX_BOXES && at + 8 <= to; box += 1) {
    const head = await sound.read(at, 16)
    if (head.length < 8) return null
    const short = head.readUInt32BE(0)
    const isLong = short === 1 && head.length === 16
    const size = short === 0 ? to - at : isLong ? Number(head.readBigUInt64BE(8)) : short
    const start = at + (isLong ? 16 : 8)
    if (size < start - at) return null
    if (head.toString('latin1', 4, 8) === wanted) return { from: start, to: Math.min(at + size, to) }
    at += size
  }
  return null
}
