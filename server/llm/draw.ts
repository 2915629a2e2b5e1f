import type { ImageSize } from '#contract/images.ts'
import { LlmError, type LlmErrorKind } from './errors.ts'

/** All the product asks of a model that draws: one picture by its description. */
export type Draw = (request: DrawRequest, signal: AbortSignal) => Promise<Drawn>

export interface DrawRequest {
  /** The provider's own name of the model. */
  model: string
  prompt: string
  size: ImageSize
  /** Tells pictures by the same words apart, where the drawing is our own. */
  seed: string
  /** For whom. */
  userId?: string | undefined
}

/** As it came: what it is and whether it is a picture at all is for its keeper to find out. */
export interface Drawn {
  bytes: Uint8Array
}

/** Whatever a provider sends, no picture is larger. */
export const MAX_DRAWN_BYTES = 25 * 1024 * 1024

const sentences: Partial<Record<LlmErrorKind, string>> = {
  timeout: 'Модель рисовала слишком долго. Повторите позже или выберите другую.',
  filter: 'Модель отказалась это рисовать по своим правилам. Измените описание.',
  too_long: 'Описание слишком длинное для этой модели. Сократите его.',
  refused: 'Модель не приняла запрос. Попробуйте другой размер или другую модель.',
  down: 'Модель не нарисовала картинку. Повторите позже или выберите другую.',
}

/** A failure in words that speak of pictures. */
export function drawError(
  kind: LlmErrorKind,
  details: string,
  cause?: unknown,
  retryAfterMs: number | null = null,
): LlmError {
  return new LlmError(kind, details, cause, sentences[kind], retryAfterMs)
}
