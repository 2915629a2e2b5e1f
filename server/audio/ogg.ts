import type { Sound } from './sound.ts'

const TAIL = 128 * 1024

/** The place of the last page says how many samples there were; the first page says how many make a second. */
export async function oggSeconds(sound: Sound): Promise<number | null> {
  const head = await sound.read(0, 256)
  const rate = rateIn(head)
  if (!rate) return null
  const tail = await sound.read(Math.max(0, sound.bytes - TAIL), TAIL)
  for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)) {
    if (at + 14 > tail.length) continue
    const place = tail.readBigInt64LE(at + 6)
    if (place > 0n) return Math.max(0, Number(place) - rate.skip) / rate.samples
  }
  return null
}

function rateIn(head: Buffer): { samples: number; skip: number } | null {
  const opus = head.indexOf('OpusHead')
  // Opus always counts 48 000 a second, whatever was recorded.
  if (opus >= 0 && opus + 12 <= head.length) return { samples: 48_000, skip: head.readUInt16LE(opus + 10) }
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1')
  if (vorbis >= 0 && vorbis + 16 <= head.length) {
    const samples = head.readUInt32LE(vorbis + 12)
    return samples > 0 ? { samples, skip: 0 } : null
  }
  return null
}
