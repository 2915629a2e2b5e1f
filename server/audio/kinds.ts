import { fileTypeFromBuffer } from 'file-type'
import { AppError } from '#server/lib/errors.ts'
import type { Sound } from './sound.ts'

export interface SoundKind {
  mime: string
  /** Providers recognise the type by the extension. */
  extension: string
}

const HEAD = 64 * 1024
const FITTING = 'Подойдут WAV, MP3, M4A, OGG, WebM, FLAC и видео MP4.'

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
  'audio/flac': { mime: 'audio/flac', extension: 'flac' },
  'audio/x-flac': { mime: 'audio/flac', extension: 'flac' },
}

/** The type of a recording by its content. Throws for types that cannot be transcribed. */
export async function recogniseSound(sound: Sound): Promise<SoundKind> {
  const head = await sound.read(0, HEAD)
  const type = await fileTypeFromBuffer(head)
  const bare = type?.mime.split(';')[0] ?? ''
  const kind = kinds[bare]
  if (kind) return kind
  if (bare.startsWith('audio/') || bare.startsWith('video/'))
    throw refuse(`Звук вида ${type?.ext.toUpperCase()} не читается. Сохраните запись как MP3 или WAV. ${FITTING}`)
  throw refuse(`В файле нет звука, который можно расшифровать. ${FITTING}`)
}

const refuse = (sentence: string) => new AppError('unsupported_media_type', sentence, { field: 'file' })
