import { type ErrorBody, type ErrorCode, errorStatus } from '#contract/errors.ts'

interface AppErrorOptions {
  field?: string
  /** Which part is away. */
  reason?: string
  /** The caller may try again by itself after so long. */
  retryAfterSeconds?: number
  cause?: unknown
}

/** A failure we expect: a code from the one table and a Russian sentence that says what to do. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly reason: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.field = options.field
    this.reason = options.reason
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status() {
    return errorStatus[this.code]
  }

  toBody(): ErrorBody {
    return {
      status: this.status,
      code: this.code,
      message: this.message,
      ...(this.field ? { field: this.field } : {}),
      ...(this.reason ? { reason: this.reason } : {}),
      ...(this.retryAfterSeconds === undefined ? {} : { retryAfter: this.retryAfterSeconds }),
    }
  }
}

export const notFound = (message: string) => new AppError('not_found', message)
