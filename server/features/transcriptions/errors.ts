import { AppError } from '#server/lib/errors.ts'
import { LlmError, type LlmErrorKind } from '#server/llm/errors.ts'

/** The abort reason when the server stops: the recording goes back to the queue. */
export const CLOSING = new Error('the server stops')

/** Another instance owns the recording by now, or it was deleted: nothing of it may be changed. */
export class OwnershipLost extends Error {}

const sentences: Record<LlmErrorKind, string> = {
  key: 'Модель для расшифровки не подключена: провайдер не принял ключ. Напишите в поддержку.',
  credit: 'У провайдера модели закончились средства. Выберите другую модель или напишите в поддержку.',
  busy: 'Модель сейчас перегружена. Повторите через несколько минут.',
  down: 'Модель не ответила. Повторите позже или выберите другую.',
  timeout: 'Модель слушала слишком долго и не ответила. Повторите позже.',
  filter: 'Модель отказалась расшифровывать эту запись по своим правилам.',
  too_long: 'Запись слишком длинная для этой модели. Выберите другую или разделите запись.',
  refused:
    'Модель не смогла прочитать запись: возможно, файл повреждён. Сохраните его заново или выберите другую модель.',
}

export interface TranscriptionError {
  code: string
  message: string
  /** Neither the recording nor the provider caused it, so it is logged. */
  isOurs: boolean
}

/** The error that the owner of the recording sees. */
export function toTranscriptionError(reason: unknown): TranscriptionError | 'stopping' {
  if (reason === CLOSING) return 'stopping'
  if (reason instanceof LlmError) return { code: 'model_failed', message: sentences[reason.kind], isOurs: false }
  if (reason instanceof AppError)
    return { code: reason.code, message: reason.message, isOurs: reason.code === 'internal' }
  return { code: 'internal', message: 'Расшифровка прервалась по нашей вине. Повторите её.', isOurs: true }
}
