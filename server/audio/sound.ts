import type { ReadAt } from '#server/files/image-size.ts'
import { AppError } from '#server/lib/errors.ts'

/** Random access to the bytes of a recording, in memory or in storage; it is never loaded whole. */
export interface Sound {
  bytes: number
  read: ReadAt
}

/** Packets are counted only so far: larger files are decoded by ffmpeg before they are transcribed. */
export const MAX_COUNTED_BYTES = 64 * 1024 * 1024

const WINDOW = 256 * 1024

/** Reads ahead in windows, so that many small reads become a few large ones. */
export function withReadAhead({ bytes, read }: Sound): Sound {
  let start = 0
  let window: Buffer = Buffer.alloc(0)
  return {
    bytes,
    read: async (offset, length) => {
      const at = Math.min(Math.max(offset, 0), bytes)
      const wanted = Math.min(length, bytes - at)
      if (at < start || at + wanted > start + window.length) {
        start = at
        window = await read(at, Math.min(Math.max(wanted, WINDOW), bytes - at))
      }
      return window.subarray(at - start, at - start + wanted)
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

export const refuse = (sentence: string) => new AppError('unsupported_media_type', sentence, { field: 'file' })
