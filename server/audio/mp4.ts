import type { Sound } from './sound.ts'

const MAX_BOXES = 10_000

/** The duration in the movie header; null when it has none, as in files that were streamed while recording. */
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

/** The kinds of the tracks, such as `soun` and `vide`; null without an index, as in a file that was cut off. */
export async function mp4Tracks(sound: Sound): Promise<string[] | null> {
  const movie = await findBox(sound, 'moov', 0, sound.bytes)
  if (!movie) return null
  const kinds: string[] = []
  for (let from = movie.from; from < movie.to; ) {
    const track = await findBox(sound, 'trak', from, movie.to)
    if (!track) break
    from = track.to
    const handler = await findPath(sound, ['mdia', 'hdlr'], track)
    if (handler) kinds.push((await sound.read(handler.from, 12)).toString('latin1', 8, 12))
  }
  return kinds
}

/** Samples per AAC frame, and the highest usual sample rate: together they give the shortest duration. */
const AAC_SAMPLES = 1024
const MAX_SAMPLES_PER_SECOND = 48_000

/**
 * The shortest possible duration by the number of AAC frames in the size table. A decoder needs the sizes, so frames
 * cannot be hidden from it. Null for other codecs and for fragmented files.
 */
export async function countMp4(sound: Sound): Promise<number | null> {
  const movie = await findBox(sound, 'moov', 0, sound.bytes)
  let frames = 0
  for (let from = movie?.from ?? 0; movie && from < movie.to; ) {
    const track = await findBox(sound, 'trak', from, movie.to)
    if (!track) break
    from = track.to
    const table = await findPath(sound, ['mdia', 'minf', 'stbl'], track)
    const kinds = table && (await findBox(sound, 'stsd', table.from, table.to))
    const isAac = kinds && (await sound.read(kinds.from, 16)).toString('latin1', 12, 16) === 'mp4a'
    const sizes = isAac && (await findBox(sound, 'stsz', table.from, table.to))
    const head = sizes ? await sound.read(sizes.from, 12) : null
    if (head?.length === 12) frames = Math.max(frames, head.readUInt32BE(8))
  }
  return frames > 0 ? (frames * AAC_SAMPLES) / MAX_SAMPLES_PER_SECOND : null
}

async function findPath(sound: Sound, names: string[], inside: { from: number; to: number }) {
  let range: { from: number; to: number } | null = inside
  for (const name of names) range = range && (await findBox(sound, name, range.from, range.to))
  return range
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
