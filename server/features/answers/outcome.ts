import type { AnswerEvent } from '#contract/answers.ts'
import { type ErrorCode, errorStatus } from '#contract/errors.ts'
import { AppError } from '#server/lib/errors.ts'
import { LlmError } from '#server/llm/errors.ts'

/** How an answer ended, as its readers hear it. */
export type Outcome = Extract<AnswerEvent, { type: 'done' | 'error' }>

export interface AnswerError {
  code: ErrorCode
  message: string
  /** The provider ended the answer by its own rules: what it had said is paid. */
  isRejection?: boolean
}

export const emptyAnswer: AnswerError = {
  code: 'model_failed',
  message: 'Модель ничего не ответила. Повторите вопрос или выберите другую модель.',
}

/** What to tell of a failure; null for one that nobody expected. */
export function answerErrorOf(error: unknown): AnswerError | null {
  if (error instanceof LlmError)
    return { code: 'model_failed', message: error.message, isRejection: error.kind === 'filter' }
  if (error instanceof AppError) return { code: error.code, message: error.message }
  return null
}

export function errorOutcome({
  code,
  message,
}: {
  code: string
  message: string
}): Extract<Outcome, { type: 'error' }> {
  const status = code in errorStatus ? errorStatus[code as ErrorCode] : errorStatus.internal
  return { type: 'error', status, code, message }
}
