import type { ReadAt } from '#server/files/image-size.ts'
import { AppError } from '#server/lib/errors.ts'
import { createPauses } from '#server/lib/pauses.ts'

/** Random access to the bytes of a recording, in memory or in storage; it is never loaded whole. */
export interface Sound {
  bytes: number
  read: ReadAt
}

/** Frames are counted so far; the rest of a larger file is taken to be like its beginning. */
export const MAX_COUNTED_BYTES = 64 * 1024 * 1024

const WINDOW = 256 * 1024

/** A recording read in windows. */
export interface WindowedSound extends Sound {
  /** Bytes that are in the window already; null when `read` must fetch them. There are millions of frames to look at. */
  peek: (offset: number, length: number) => Buffer | null
  /** After every `LOOKED_AT` frames, so that the others get their turn. */
  pause: () => Promise<void>
}

/** So many frames or signs of frames take some milliseconds. */
export const LOOKED_AT = 2048
/** Five hours of 20 ms: what follows is taken to be like that. */
export const MAX_FRAMES = 1_000_000

/** Many small reads become a few large ones, and the others get their turn between these. */
export function windowed({ bytes, read }: Sound): WindowedSound {
  const pause = createPauses()
  let start = 0
  let window: Buffer = Buffer.alloc(0)
  const peek = (offset: number, length: number) => {
    const at = Math.min(Math.max(offset, 0), bytes)
    const wanted = Math.min(length, bytes - at)
    if (at < start || at + wanted > start + window.length) return null
    return window.subarray(at - start, at - start + wanted)
  }
  return {
    bytes,
    peek,
    pause,
    read: async (offset, length) => {
      const known = peek(offset, length)
      if (known) return known
      await pause()
      start = Math.min(Math.max(offset, 0), bytes)
      window = await read(start, Math.min(Math.max(length, WINDOW), bytes - start))
      return window.subarray(0, length)
    },
  }
}

export function soundOf(bytes: Uint8Array): Sound {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { bytes: whole.length, read: async (offset, length) => whole.subarray(offset, offset + length) }
}

interface SoundKind {
  mime: string
  /** Providers recognise the type by the extension. */
  extension: string
}

const HEAD = 64 * 1024
export const FITTING = 'Подойдут WAV, MP3, M4A, AAC, AMR, OGG, WebM, FLAC, CAF и видео MP4, 3GP.'

const kinds: Record<string, SoundKind> = {
  'audio/wav': { mime: 'audio/wav', extension: 'wav' },
  'audio/mpeg': { mime: 'audio/mpeg', extension: 'mp3' },
  'audio/x-m4a': { mime: 'audio/mp4', extension: 'm4a' },
  'audio/mp4': { mime: 'audio/mp4', extension: 'm4a' },
  'video/mp4': { mime: 'video/mp4', extension: 'mp4' },
  'video/x-m4v': { mime: 'video/mp4', extension: 'mp4' },
  'video/quicktime': { mime: 'video/mp4', extension: 'mp4' },
  'audio/ogg': { mime: 'audio/ogg', extension: 'ogg' },
  'audio/opus': { mime: 'audio/ogg', extension: 'ogg' },
  'video/ogg': { mime: 'audio/ogg', extension: 'ogg' },
  'application/ogg': { mime: 'audio/ogg', extension: 'ogg' },
  'audio/webm': { mime: 'audio/webm', extension: 'webm' },
  'video/webm': { mime: 'audio/webm', extension: 'webm' },
  'video/matroska': { mime: 'audio/webm', extension: 'webm' },
  'video/x-matroska': { mime: 'audio/webm', extension: 'webm' },
  'audio/amr': { mime: 'audio/amr', extension: 'amr' },
  'audio/aac': { mime: 'audio/aac', extension: 'aac' },
  'audio/x-caf': { mime: 'audio/x-caf', extension: 'caf' },
  'video/3gpp': { mime: 'video/3gpp', extension: '3gp' },
  'video/3gpp2': { mime: 'video/3gpp', extension: '3gp' },
  'audio/3gpp': { mime: 'video/3gpp', extension: '3gp' },
  'audio/flac': { mime: 'audio/flac', extension: 'flac' },
  'audio/x-flac': { mime: 'audio/flac', extension: 'flac' },
}

/** The type of a recording by its content. Throws for types that cannot be transcribed. */
export async function recogniseSound(sound: Sound): Promise<SoundKind> {
  const head = await sound.read(0, HEAD)
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(head)
  const bare = bySignature(head) ?? type?.mime.split(';')[0] ?? ''
  const kind = kinds[bare]
  if (kind) return kind
  if (bare.startsWith('audio/') || bare.startsWith('video/'))
    throw refuse(`Звук вида ${type?.ext.toUpperCase()} не читается. Сохраните запись как MP3 или WAV. ${FITTING}`)
  throw refuse(`В файле нет звука, который можно расшифровать. ${FITTING}`)
}

/** Kinds that the library does not know: WAV above 4 GB, the files of Apple, AMR of wide band. */
function bySignature(head: Buffer): string | null {
  const sign = head.toString('latin1', 0, 12)
  if (/^(RF64|BW64)[\s\S]{4}WAVE/.test(sign)) return 'audio/wav'
  if (sign.startsWith('caff')) return 'audio/x-caf'
  return sign.startsWith('#!AMR') ? 'audio/amr' : null
}

/** Models do not take these kinds; ffmpeg converts them first. */
const converted = new Set(['audio/amr', 'audio/aac', 'audio/x-caf', 'video/3gpp'])
export const needsConversion = (mime: string | null) => mime !== null && converted.has(mime)

/** What looks like the beginning of a frame so often and is none would be looked at for seconds. */
export const refuseDamaged = () =>
  refuse(
    'Запись повреждена: в ней слишком много данных, которые не похожи на звук. Сохраните её заново и загрузите снова.',
  )

export const refuse = (sentence: string) => new AppError('unsupported_media_type', sentence, { field: 'file' })
