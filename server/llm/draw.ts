import type { ImageSize } from '#contract/images.ts'
import { LlmError, type LlmErrorKind } from './errors.ts'

/** An image model: draws one picture by its description. */
export type Draw = (request: DrawRequest, signal: AbortSignal) => Promise<Drawn>

export interface DrawRequest {
  /** The provider's name of the model. */
  model: string
  prompt: string
  size: ImageSize
  /** Varies the demo's pictures of the same prompt. */
  seed: string
  userId?: string | undefined
}

/** Unchecked bytes of the provider; the caller verifies that they are a picture. */
export interface Drawn {
  bytes: Uint8Array
}

export const MAX_DRAWN_BYTES = 25 * 1024 * 1024

const sentences: Partial<Record<LlmErrorKind, string>> = {
  timeout: 'Модель рисовала слишком долго. Повторите позже или выберите другую.',
  filter: 'Модель отказалась это рисовать по своим правилам. Измените описание.',
  too_long: 'Описание слишком длинное для этой модели. Сократите его.',
  refused: 'Модель не приняла запрос. Попробуйте другой размер или другую модель.',
  down: 'Модель не нарисовала картинку. Повторите позже или выберите другую.',
}

/** An LlmError with a sentence about pictures. */
export function drawError(
  kind: LlmErrorKind,
  details: string,
  cause?: unknown,
  retryAfterMs: number | null = null,
): LlmError {
  return new LlmError(kind, details, cause, sentences[kind], retryAfterMs)
}
