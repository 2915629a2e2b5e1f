import type { Context } from 'hono'
import type { ErrorBody } from '#contract/errors.ts'
import { DISK_FULL, isDiskFull } from '#server/lib/disk-full.ts'
import { AppError } from '#server/lib/errors.ts'
import { withoutSecrets } from '#server/lib/log.ts'
import { LlmError } from '#server/llm/errors.ts'
import { StorageError } from '#server/storage/storage.ts'
import { isTransient } from '#server/work/retry.ts'
import type { Env } from './route.ts'

/** Turns errors into responses. Unexpected ones are logged in full and shown only by request id. */
export function answerError(error: Error, c: Context<Env>): Response {
  const rejection = error instanceof AppError ? error : errorOfDatabase(error)
  if (rejection?.retryAfterSeconds !== undefined)
    c.header('retry-after', String(Math.ceil(rejection.retryAfterSeconds)))
  if (rejection) return c.json(rejection.toBody(), rejection.status)
  if (error instanceof LlmError) {
    c.var.log.warn({ kind: error.kind, details: withoutSecrets(error.details) }, 'http: a model failed')
    return c.json(new AppError('model_failed', error.message).toBody(), 502)
  }
  const outage = outageBehind(error)
  if (outage) {
    c.var.log.error({ err: error, reason: outage.reason }, 'http: a dependency is unavailable')
    if (outage.retryAfterSeconds !== undefined) c.header('retry-after', String(outage.retryAfterSeconds))
    return c.json(outage.toBody(), outage.status)
  }
  c.var.log.error({ err: error }, 'http: unexpected error')
  const body: ErrorBody = {
    status: 500,
    code: 'internal',
    message: `Что-то сломалось на нашей стороне. Номер обращения: ${c.var.requestId}`,
  }
  return c.json(body, 500)
}

/** The SQL state under which database functions raise a sentence for the user. */
const REJECTION = 'SY409'

function errorOfDatabase(error: unknown): AppError | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && error.code === REJECTION) return new AppError('conflict', error.message)
  return errorOfDatabase(error.cause)
}

/** Temporary outages that end without a change of ours. */
function outageBehind(error: unknown): AppError | null {
  const causes = causesOf(error)
  if (causes.some(isDiskFull)) return new AppError('out_of_space', DISK_FULL, { reason: 'disk' })
  if (causes.some((cause) => cause instanceof StorageError))
    return new AppError('unavailable', 'Хранилище файлов сейчас недоступно. Попробуйте ещё раз через минуту.', {
      reason: 'storage',
    })
  if (isTransient(error) && !causes.some(isFetch))
    return new AppError('unavailable', 'База данных сейчас не отвечает. Повторите через несколько секунд.', {
      reason: 'database',
      retryAfterSeconds: 2,
    })
  return null
}

const causesOf = (error: unknown): Error[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : [])
/** An external server that does not answer is not our database. */
const isFetch = ({ message }: Error) => message === 'fetch failed'

export function answerNotFound(c: Context<Env>): Response {
  return c.json(new AppError('not_found', 'Такого адреса нет.').toBody(), 404)
}
