import { countFlac, flacSeconds } from './flac.ts'
import { cafLength, countAac, countAmr } from './frames.ts'
import { countMp3 } from './mp3.ts'
import { countMp4, mp4Seconds, mp4Tracks } from './mp4.ts'
import { countOgg, oggSeconds } from './ogg.ts'
import { FITTING, refuse, type Sound, type WindowedSound, windowed } from './sound.ts'
import { compressedWavLength, readWav, secondsOf } from './wav.ts'
import { webmLength } from './webm.ts'

/** A longer duration comes from a broken header. */
const MAX_SECONDS = 24 * 3600

/** Two durations: counted from the frames of the sound, and claimed by headers, which the sender can forge. */
export interface MeasuredLength {
  counted: number | null
  claimed: number | null
}

const UNKNOWN_LENGTH: MeasuredLength = { counted: null, claimed: null }

const mp4Length = async (sound: Sound) => ({ counted: await countMp4(sound), claimed: await mp4Seconds(sound) })

const readers: Record<string, (sound: WindowedSound) => Promise<MeasuredLength>> = {
  'audio/wav': wavLength,
  'audio/mpeg': async (sound) => ({ counted: await countMp3(sound), claimed: null }),
  'audio/mp4': mp4Length,
  'video/mp4': mp4Length,
  'video/3gpp': mp4Length,
  'audio/amr': async (sound) => ({ counted: await countAmr(sound), claimed: null }),
  'audio/aac': async (sound) => ({ counted: await countAac(sound), claimed: null }),
  'audio/x-caf': cafLength,
  'audio/ogg': async (sound) => ({ counted: await countOgg(sound), claimed: await oggSeconds(sound) }),
  'audio/webm': webmLength,
  'audio/flac': async (sound) => ({ counted: await countFlac(sound), claimed: await flacSeconds(sound) }),
}

export async function measureSound(sound: Sound, mime: string): Promise<MeasuredLength> {
  const length = (await readers[mime]?.(windowed(sound))) ?? UNKNOWN_LENGTH
  const [counted, claimed] = [plausibleSeconds(length.counted), plausibleSeconds(length.claimed)]
  return { counted: counted === null ? null : withoutPadding(counted, claimed), claimed }
}

/** The first and the last frames hold silence that only the header tells from the sound: it is believed for so much. */
const MAX_PADDING_SECONDS = 0.25

const withoutPadding = (counted: number, claimed: number | null) =>
  claimed !== null && claimed < counted && counted - claimed < MAX_PADDING_SECONDS ? claimed : counted

/** In whole milliseconds: what the sum of many frames has behind them would be charged as a second. */
const plausibleSeconds = (seconds: number | null) =>
  seconds && seconds > 0 && seconds <= MAX_SECONDS ? Math.round(seconds * 1000) / 1000 || null : null

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

/**
 * The duration that the price is named for: the counted one. A claimed duration, where nothing can be counted, is limited
 * to what so many bytes can hold.
 */
export function expectedSeconds({ counted, claimed }: MeasuredLength, bytes: number, mime: string): number | null {
  if (counted !== null || claimed === null) return counted
  const bits = bytes * 8
  const least = bits / (MAX_BIT_RATE[mime] ?? Number.POSITIVE_INFINITY)
  return Math.min(Math.max(claimed, least), Math.max(bits / MIN_BIT_RATE, 1))
}

async function wavLength(sound: Sound): Promise<MeasuredLength> {
  const wav = await readWav(sound)
  if (wav) return { counted: secondsOf(wav), claimed: null }
  return compressedWavLength(sound)
}

/** Throws for a recording that would be sent for nothing: a video without sound, or one without its index. */
export async function checkSound(sound: Sound, mime: string): Promise<void> {
  if (!/mp4|3gpp/.test(mime)) return
  const tracks = await mp4Tracks(windowed(sound))
  if (tracks === null)
    throw refuse(
      'Запись оборвана: в файле нет оглавления, без которого звук не читается. Сохраните её заново и загрузите снова.',
    )
  if (!tracks.includes('soun')) throw refuse(`В файле нет звуковой дорожки: расшифровывать нечего. ${FITTING}`)
}
