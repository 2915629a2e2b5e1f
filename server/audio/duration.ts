import { cafLength, countAac, countAmr } from './frames.ts'
import { countMp3 } from './mp3.ts'
import { countMp4, mp4Seconds, mp4Tracks } from './mp4.ts'
import { countOggOpus, oggSeconds } from './ogg.ts'
import { FITTING, refuse, type Sound, withReadAhead } from './sound.ts'
import { compressedWavLength, readWav, secondsOf } from './wav.ts'
import { webmLength } from './webm.ts'

/** A longer duration comes from a broken header. */
const MAX_SECONDS = 24 * 3600

/** Two durations: counted from the audio packets, and claimed by headers, which the sender can forge. */
export interface MeasuredLength {
  counted: number | null
  claimed: number | null
}

const UNKNOWN_LENGTH: MeasuredLength = { counted: null, claimed: null }

const mp4Length = async (sound: Sound) => ({ counted: await countMp4(sound), claimed: await mp4Seconds(sound) })

const readers: Record<string, (sound: Sound) => Promise<MeasuredLength>> = {
  'audio/wav': wavLength,
  'audio/mpeg': async (sound) => ({ counted: await countMp3(sound), claimed: null }),
  'audio/mp4': mp4Length,
  'video/mp4': mp4Length,
  'video/3gpp': mp4Length,
  'audio/amr': async (sound) => ({ counted: await countAmr(sound), claimed: null }),
  'audio/aac': async (sound) => ({ counted: await countAac(sound), claimed: null }),
  'audio/x-caf': cafLength,
  'audio/ogg': async (sound) => ({ counted: await countOggOpus(sound), claimed: await oggSeconds(sound) }),
  'audio/webm': webmLength,
  'audio/flac': async (sound) => ({ counted: null, claimed: await flacSeconds(sound) }),
}

export async function measureSound(sound: Sound, mime: string): Promise<MeasuredLength> {
  const { counted, claimed } = (await readers[mime]?.(withReadAhead(sound))) ?? UNKNOWN_LENGTH
  return { counted: plausibleSeconds(counted), claimed: plausibleSeconds(claimed) }
}

const plausibleSeconds = (seconds: number | null) => (seconds && seconds > 0 && seconds <= MAX_SECONDS ? seconds : null)

/** The highest bitrate of each type; for containers that may hold video, that of the video. */
const MAX_BIT_RATE: Record<string, number> = {
  'audio/wav': 4_700_000,
  'audio/mp4': 640_000,
  'video/mp4': 20_000_000,
  'video/3gpp': 20_000_000,
  'audio/x-caf': 4_700_000,
  'audio/ogg': 640_000,
  'audio/webm': 20_000_000,
  'audio/flac': 4_700_000,
}
/** The lowest bitrate at which speech is intelligible. */
const MIN_BIT_RATE = 6000

/** The duration for the price estimate. A claimed duration is limited to what this many bytes can hold. */
export function expectedSeconds({ counted, claimed }: MeasuredLength, bytes: number, mime: string): number | null {
  const bits = bytes * 8
  const least = bits / (MAX_BIT_RATE[mime] ?? Number.POSITIVE_INFINITY)
  const plausible = claimed === null ? 0 : Math.min(Math.max(claimed, least), Math.max(bits / MIN_BIT_RATE, 1))
  return Math.max(counted ?? 0, plausible) || null
}

async function wavLength(sound: Sound): Promise<MeasuredLength> {
  const wav = await readWav(sound)
  if (wav) return { counted: secondsOf(wav), claimed: null }
  return compressedWavLength(sound)
}

async function flacSeconds(sound: Sound): Promise<number | null> {
  const head = await sound.read(0, 42)
  if (head.length < 42 || head.toString('latin1', 0, 4) !== 'fLaC') return null
  const rate = head.readUIntBE(18, 3) >> 4
  const samples = ((head[21] ?? 0) & 0x0f) * 2 ** 32 + head.readUInt32BE(22)
  return rate > 0 && samples > 0 ? samples / rate : null
}

/** Throws for a recording that would be sent for nothing: a video without sound, or one without its index. */
export async function checkSound(sound: Sound, mime: string): Promise<void> {
  if (!/mp4|3gpp/.test(mime)) return
  const tracks = await mp4Tracks(withReadAhead(sound))
  if (tracks === null)
    throw refuse(
      'Запись оборвана: в файле нет оглавления, без которого звук не читается. Сохраните её заново и загрузите снова.',
    )
  if (!tracks.includes('soun')) throw refuse(`В файле нет звуковой дорожки: расшифровывать нечего. ${FITTING}`)
}
