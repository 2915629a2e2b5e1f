import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { measureSound } from '#server/audio/duration.ts'
import { needsConversion, type Sound } from '#server/audio/sound.ts'
import { partOf, planCuts, readWav, secondsOf, type Wav } from '#server/audio/wav.ts'
import type { PartRange } from '#server/db/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { downloadTo, soundIn } from './chunks.ts'
import type { TranscriptionDeps } from './deps.ts'
import type { Row } from './rows.ts'

/** One request to the provider. */
export interface Part {
  audio: Uint8Array
  name: string
  mime: string
  seconds: number | null
}

/** A recording split into the parts that are sent one after another. */
export interface AudioSource {
  /** Empty when the file is sent whole. */
  plan: PartRange[]
  /** Seconds counted or decoded from the sound itself; null when only the file's headers state a length. */
  counted: number | null
  /** The parts are cut from the measured samples, so the provider cannot find more sound in them. */
  isExact: boolean
  part: (number: number) => Promise<Part>
  /** In seconds from the beginning of the recording; the end of a file sent whole may be unknown. */
  times: (number: number) => { start: number; end: number | null }
  /** The sound between two moments of the recording as a WAV file; null for a file that is sent as it came. */
  clip: ((start: number, end: number) => Promise<Uint8Array>) | null
  close: () => Promise<void>
}

const extensions: Record<string, string> = {
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'video/mp4': 'mp4',
  'audio/ogg': 'ogg',
  'audio/webm': 'webm',
  'audio/flac': 'flac',
}

export const noFfmpegError = (maxBytes: number) =>
  new AppError(
    'payload_too_large',
    `Файл больше ${Math.floor(maxBytes / 1024 / 1024)} МБ, а на сервере нет ffmpeg, который делит такие на части. Сохраните запись в WAV, сожмите её или разделите сами.`,
    { field: 'file' },
  )

export const noConverterError = () =>
  new AppError(
    'unsupported_media_type',
    'Записи такого вида переводит программа ffmpeg, а на сервере её нет. Сохраните запись как MP3 или WAV и загрузите снова.',
    { field: 'file' },
  )

/** A file within the limits is sent whole, a larger one as WAV parts. */
export async function openSource(deps: TranscriptionDeps, row: Row, signal: AbortSignal): Promise<AudioSource> {
  const sound = soundIn(deps.storage, row)
  const wav = row.mime === 'audio/wav' ? await readWav(sound) : null
  const seconds = row.durationMs === null ? null : row.durationMs / 1000
  const { wholeBytes, partSeconds } = deps.limits
  const isLong = seconds !== null && seconds > partSeconds
  const fits = row.bytes <= wholeBytes && !(isLong && (wav || deps.ffmpeg))
  // An empty plan may be of a model that took the recording whole.
  const known = row.plan && row.plan.length > 0 ? row.plan : null
  if (fits && !known && !needsConversion(row.mime))
    return wav ? wholeWav(sound, wav) : wholeSource(sound, row, seconds, await countedSeconds(deps, row, sound, signal))
  if (wav) return wavSource(deps, sound, wav, known, async () => {})
  return convertedSource(deps, { ...row, plan: known }, signal)
}

/** Written with a new header: the original one may state less sound than the file contains. */
function wholeWav(sound: Sound, wav: Wav): AudioSource {
  const seconds = secondsOf(wav)
  const all = { from: 0, to: wav.frames }
  return {
    plan: [],
    counted: seconds,
    isExact: true,
    part: async () => ({ audio: await partOf(sound, wav, all), name: 'audio.wav', mime: 'audio/wav', seconds }),
    times: () => ({ start: 0, end: seconds }),
    clip: null,
    close: async () => {},
  }
}

/** Decodes the file if there is ffmpeg, otherwise counts its frames. */
async function countedSeconds(
  { ffmpeg, storage, incoming }: TranscriptionDeps,
  row: Row,
  sound: Sound,
  signal: AbortSignal,
): Promise<number | null> {
  const { counted } = await measureSound(sound, row.mime ?? '')
  if (!ffmpeg) return counted
  const path = join(incoming, newId())
  try {
    await downloadTo(storage, row, path, signal)
    return Math.max((await ffmpeg.decodedSeconds(path, signal)) ?? 0, counted ?? 0) || null
  } finally {
    await rm(path, { force: true })
  }
}

function wholeSource(sound: Sound, row: Row, expected: number | null, counted: number | null): AudioSource {
  const mime = row.mime ?? 'application/octet-stream'
  const seconds = counted ?? expected
  return {
    plan: [],
    counted,
    isExact: false,
    part: async () => ({
      audio: await sound.read(0, sound.bytes),
      name: `audio.${extensions[mime] ?? 'bin'}`,
      mime,
      seconds,
    }),
    times: () => ({ start: 0, end: null }),
    clip: null,
    close: async () => {},
  }
}

async function wavSource(
  { limits }: TranscriptionDeps,
  sound: Sound,
  wav: Wav,
  known: PartRange[] | null,
  close: () => Promise<void>,
): Promise<AudioSource> {
  const plan = known ?? (await planCuts(sound, wav, { maxBytes: limits.partBytes, maxSeconds: limits.partSeconds }))
  const rangeOf = (number: number) => plan[number] ?? { from: 0, to: 0 }
  return {
    plan,
    counted: secondsOf(wav),
    isExact: true,
    part: async (number) => {
      const range = rangeOf(number)
      const seconds = secondsOf({ frames: range.to - range.from, rate: wav.rate })
      return { audio: await partOf(sound, wav, range), name: 'audio.wav', mime: 'audio/wav', seconds }
    },
    times: (number) => {
      const { from, to } = rangeOf(number)
      return { start: from / wav.rate, end: to / wav.rate }
    },
    clip: (start, end) => {
      const frame = (seconds: number) => Math.min(wav.frames, Math.max(0, Math.round(seconds * wav.rate)))
      return partOf(sound, wav, { from: frame(start), to: frame(end) })
    },
    close,
  }
}

/** Converts to WAV first. The conversion is deterministic, so the stored plan of an earlier try still fits. */
async function convertedSource(deps: TranscriptionDeps, row: Row, signal: AbortSignal): Promise<AudioSource> {
  if (!deps.ffmpeg) throw needsConversion(row.mime) ? noConverterError() : noFfmpegError(deps.limits.wholeBytes)
  const given = join(deps.incoming, newId())
  const made = join(deps.incoming, newId())
  const close = async () => {
    await rm(given, { force: true })
    await rm(made, { force: true })
  }
  try {
    await downloadTo(deps.storage, row, given, signal)
    await deps.ffmpeg.toWav(given, made, signal)
    await rm(given, { force: true })
    const file = await open(made)
    const closeFile = async () => {
      await file.close()
      await close()
    }
    const { size } = await file.stat()
    const sound: Sound = {
      bytes: size,
      read: async (offset, length) => {
        const wanted = Math.max(0, Math.min(length, size - offset))
        const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, offset)
        return buffer.subarray(0, bytesRead)
      },
    }
    const wav = await readWav(sound)
    if (!wav) {
      await closeFile()
      throw new AppError('unsupported_media_type', 'В файле нет звука, который можно расшифровать.')
    }
    return await wavSource(deps, sound, wav, row.plan, closeFile)
  } catch (error) {
    await close()
    throw error
  }
}
