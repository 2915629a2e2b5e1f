import { AppError } from '#server/lib/errors.ts'
import { LlmError, type LlmErrorKind } from '#server/llm/errors.ts'
import { CLOSING } from './closing.ts'

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
  /** Not the recording's and not the provider's fault: somebody should look. */
  isOurs: boolean
}

/** Why a recording came to nothing, in words for its owner. */
export function transcriptionErrorOf(reason: unknown): TranscriptionError | 'stopping' {
  if (reason === CLOSING) return 'stopping'
  if (reason instanceof LlmError) return { code: 'model_failed', message: sentences[reason.kind], isOurs: false }
  if (reason instanceof AppError)
    return { code: reason.code, message: reason.message, isOurs: reason.code === 'internal' }
  return { code: 'internal', message: 'Расшифровка прервалась по нашей вине. Повторите её.', isOurs: true }
}
