import { mp3Seconds } from './mp3.ts'
import { mp4Seconds } from './mp4.ts'
import { oggSeconds } from './ogg.ts'
import { buffered, type Sound } from './sound.ts'
import { readWav, secondsOf } from './wav.ts'
import { webmSeconds } from './webm.ts'

/** Longer than a day is a broken header, not a recording. */
const MAX_SECONDS = 24 * 3600

const readers: Record<string, (sound: Sound) => Promise<number | null>> = {
  'audio/wav': wavSeconds,
  'audio/mpeg': mp3Seconds,
  'audio/mp4': mp4Seconds,
  'video/mp4': mp4Seconds,
  'audio/ogg': oggSeconds,
  'audio/webm': webmSeconds,
  'audio/flac': flacSeconds,
}

/** How long a recording is, by its own headers; null when they do not tell. */
export async function soundSeconds(sound: Sound, mime: string): Promise<number | null> {
  const seconds = await readers[mime]?.(buffered(sound))
  return seconds && seconds > 0 && seconds <= MAX_SECONDS ? seconds : null
}

async function wavSeconds(sound: Sound): Promise<number | null> {
  const wav = await readWav(sound)
  if (wav) return secondsOf(wav)
  // A compressed one tells how many bytes make a second.
  const head = await sound.read(0, 36)
  const rate = head.length === 36 && head.toString('latin1', 12, 16) === 'fmt ' ? head.readUInt32LE(28) : 0
  return rate > 0 ? (sound.bytes - 44) / rate : null
}

async function flacSeconds(sound: Sound): Promise<number | null> {
  const head = await sound.read(0, 42)
  if (head.length < 42 || head.toString('latin1', 0, 4) !== 'fLaC') return null
  const rate = head.readUIntBE(18, 3) >> 4
  const samples = ((head[21] ?? 0) & 0x0f) * 2 ** 32 + head.readUInt32BE(22)
  return rate > 0 && samples > 0 ? samples / rate : null
}
