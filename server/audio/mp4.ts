import { readAacSetup } from './packets.ts'
import type { Sound } from './sound.ts'

const MAX_BOXES = 10_000
const MAX_TRACKS = 100

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
  for (let from = movie.from; from < movie.to && kinds.length < MAX_TRACKS; ) {
    const track = await findBox(sound, 'trak', from, movie.to)
    if (!track) break
    from = track.to
    const handler = await findPath(sound, ['mdia', 'hdlr'], track)
    kinds.push(handler ? (await sound.read(handler.from, 12)).toString('latin1', 8, 12) : '')
  }
  return kinds
}

interface Track {
  id: number
  /** Of one frame; null for codecs whose frames differ. */
  frameSeconds: number | null
  frames: number
}

/**
 * The duration by the number of frames, in the size table and in the fragments, times what the setup of the codec says.
 * A decoder needs both, so nothing can be hidden from it. Null for codecs whose frames differ in length.
 */
export async function countMp4(sound: Sound): Promise<number | null> {
  const movie = await findBox(sound, 'moov', 0, sound.bytes)
  const tracks: Track[] = []
  for (let from = movie?.from ?? 0; movie && from < movie.to && tracks.length < MAX_TRACKS; ) {
    const track = await findBox(sound, 'trak', from, movie.to)
    if (!track) break
    from = track.to
    tracks.push(await readTrack(sound, track))
  }
  if (tracks.some(({ frameSeconds }) => frameSeconds !== null)) await addFragments(sound, tracks)
  const seconds = Math.max(0, ...tracks.map(({ frameSeconds, frames }) => (frameSeconds ?? 0) * frames))
  return seconds > 0 ? seconds : null
}

async function readTrack(sound: Sound, track: Range): Promise<Track> {
  const header = await findBox(sound, 'tkhd', track.from, track.to)
  const head = header ? await sound.read(header.from, 24) : Buffer.alloc(0)
  const id = head.length < 24 ? 0 : head.readUInt32BE(head[0] === 1 ? 20 : 12)
  const table = await findPath(sound, ['mdia', 'minf', 'stbl'], track)
  const kinds = table && (await findBox(sound, 'stsd', table.from, table.to))
  const frameSeconds = kinds
    ? frameSecondsOf(await sound.read(kinds.from, Math.min(kinds.to - kinds.from, MAX_SETUP)))
    : null
  let frames = 0
  for (const name of ['stsz', 'stz2']) {
    const sizes = table && (await findBox(sound, name, table.from, table.to))
    const counts = sizes ? await sound.read(sizes.from, 12) : Buffer.alloc(0)
    if (counts.length === 12) frames = Math.max(frames, counts.readUInt32BE(8))
  }
  return { id, frameSeconds, frames }
}

const MAX_SETUP = 16 * 1024

/** By the description of the sound: `kinds` is the box stsd. */
function frameSecondsOf(kinds: Buffer): number | null {
  const codec = kinds.toString('latin1', 12, 16)
  if (codec === 'alac') {
    // The setup has the name of its entry.
    const setup = kinds.indexOf('alac', 16, 'latin1')
    if (setup < 0 || setup + 32 > kinds.length) return null
    const rate = kinds.readUInt32BE(setup + 28)
    return rate > 0 ? kinds.readUInt32BE(setup + 8) / rate : null
  }
  const descriptors = kinds.indexOf('esds', 16, 'latin1')
  if (codec !== 'mp4a' || descriptors < 0) return null
  const { object, setup } = readDescriptors(kinds.subarray(descriptors + 8))
  if (MP3_OBJECTS.includes(object) && kinds.length >= 44) {
    const rate = kinds.readUInt32BE(40) / 65_536
    return rate > 0 ? (rate < 32_000 ? 576 : 1152) / rate : null
  }
  const aac = readAacSetup(setup)
  return aac ? aac.samples / aac.rate : null
}

const MP3_OBJECTS = [0x69, 0x6b]

/** The kind of the codec and its setup, inside of each other in three descriptors. */
function readDescriptors(bytes: Buffer): { object: number; setup: Buffer } {
  let at = 0
  const enter = () => {
    at += 1
    let size = 0
    for (let more = 0x80; more & 0x80 && at < bytes.length; at += 1) {
      more = bytes[at] ?? 0
      size = size * 128 + (more & 0x7f)
    }
    return size
  }
  enter()
  const flags = bytes[at + 2] ?? 0
  at += 3 + (flags & 0x80 ? 2 : 0) + (flags & 0x20 ? 2 : 0)
  if (flags & 0x40) at += 1 + (bytes[at] ?? 0)
  enter()
  const object = bytes[at] ?? 0
  at += 13
  const size = enter()
  return { object, setup: bytes.subarray(at, at + size) }
}

/** Recordings that were written as they came have their frames in fragments. */
async function addFragments(sound: Sound, tracks: Track[]): Promise<void> {
  let boxes = 0
  for await (const fragment of boxesIn(sound, 'moof', { from: 0, to: sound.bytes })) {
    for await (const part of boxesIn(sound, 'traf', fragment)) {
      const header = await findBox(sound, 'tfhd', part.from, part.to)
      const head = header ? await sound.read(header.from, 8) : Buffer.alloc(0)
      const track = head.length === 8 ? tracks.find(({ id }) => id === head.readUInt32BE(4)) : undefined
      for await (const run of boxesIn(sound, 'trun', part)) {
        const counts = await sound.read(run.from, 8)
        if (track && counts.length === 8) track.frames += counts.readUInt32BE(4)
        boxes += 1
        if (boxes > MAX_RUNS) return
      }
    }
  }
}

const MAX_RUNS = 200_000

async function* boxesIn(sound: Sound, name: string, inside: Range): AsyncGenerator<Range> {
  for (let from = inside.from; from < inside.to; ) {
    const box = await findBox(sound, name, from, inside.to)
    if (!box) return
    from = box.to
    yield box
  }
}

interface Range {
  from: number
  to: number
}

async function findPath(sound: Sound, names: string[], inside: Range) {
  let range: Range | null = inside
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
