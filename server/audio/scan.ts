import { LOOKED_AT, MAX_COUNTED_BYTES, type WindowedSound } from './sound.ts'

/** A frame whose header names its size. */
export interface Frame {
  bytes: number
  seconds: number
}

/** The seconds of one packet of a stream, by its first bytes and its size. Decoders use the same. */
export type PacketSeconds = (packet: Buffer, bytes: number) => number

export type FrameAt = (window: Buffer, at: number) => Frame | null

const WINDOW = 256 * 1024

/** Adds up frames that begin with 0xff; what stands between them is skipped. `headBytes` are needed to read one. */
export async function countFrames(sound: WindowedSound, headBytes: number, frameAt: FrameAt): Promise<number | null> {
  const start = await afterTags(sound)
  let [at, base, window]: [number, number, Buffer] = [start, start, Buffer.alloc(0)]
  const load = async () => {
    base = at
    window = await sound.read(at, WINDOW)
  }
  const isNextFrame = (frame: Frame) =>
    at + frame.bytes + headBytes > sound.bytes || frameAt(window, at - base + frame.bytes) !== null
  let [seconds, isInStep, looks] = [0, false, 0]
  while (at + headBytes <= sound.bytes && at - start < MAX_COUNTED_BYTES) {
    looks += 1
    if (looks % LOOKED_AT === 0) await sound.pause()
    if (at + headBytes > base + window.length) await load()
    if (window.length < headBytes) break
    const frame = frameAt(window, at - base)
    if (frame && !isInStep && at + frame.bytes + headBytes > base + window.length) await load()
    // One valid header may be chance; two in a row are taken for frames.
    if (frame && (isInStep || isNextFrame(frame))) {
      isInStep = true
      seconds += frame.seconds
      at += frame.bytes
      continue
    }
    isInStep = false
    const next = window.indexOf(0xff, at - base + 1)
    at = base + (next < 0 ? window.length : next)
  }
  return extrapolated(seconds, sound.bytes - start, Math.min(at, sound.bytes) - start)
}

/** For the whole recording, by the part of it that was counted. */
export const extrapolated = (seconds: number, allBytes: number, countedBytes: number): number | null =>
  seconds > 0 ? seconds * Math.max(1, allBytes / Math.max(1, countedBytes)) : null

/** Where the sound begins behind an ID3 tag. */
export async function afterTags(sound: WindowedSound): Promise<number> {
  const head = await sound.read(0, 10)
  if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') return 0
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0)
  return 10 + size + ((head[5] ?? 0) & 0x10 ? 10 : 0)
}
