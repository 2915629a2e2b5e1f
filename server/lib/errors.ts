import { type ErrorBody, type ErrorCode, errorStatus } from '#contract/errors.ts'

interface AppErrorOptions {
  field?: string
  /** Which dependency is unavailable. */
  reason?: string
  /** The client may retry after this time. */
  retryAfterSeconds?: number
  cause?: unknown
}

/** An expected error: a code from the contract and a Russian sentence that says what to do. */
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

/** An error that prevents the start. The message says what to do and is shown without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}
