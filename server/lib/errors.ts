import { type ErrorBody, type ErrorCode, errorStatus } from '#contract/errors.ts'

interface AppErrorOptions {
  field?: string
  /** Which dependency is unavailable. */
  reason?: string
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

/** The work costs more than the caller named in `most`: nothing is begun, and the page asks again. */
export const priceRisenError = (message: string) => new AppError('conflict', message, { field: 'most' })

/** An error that prevents the start. The message says what to do and is shown without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

/**
 * SQL states after which a statement may succeed when repeated: connection, shutdown, too many clients, deadlock,
 * timeouts.
 */
const TRANSIENT_STATES = /^(08|53|57P|40001|40P01|55P03|57014|25P0[23])/
const TRANSIENT_CODES = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/
const TRANSIENT_WORDS =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|not queryable|client has encountered a connection error|connection ended/i

/** Whether the database was unavailable or busy. Drizzle wraps the driver's error. */
export function isTransient(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    const code = 'code' in current && typeof current.code === 'string' ? current.code : ''
    if (TRANSIENT_STATES.test(code) || TRANSIENT_CODES.test(code) || TRANSIENT_WORDS.test(current.message)) return true
  }
  return false
}

const CODES = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100'])
/** ENOSPC and EDQUOT in the numbering of the embedded database, in errors without a message. */
const ERRNOS = new Set<unknown>([51, 19])

/** Whether a full disk caused the error: ours, or the database's (53100). */
export function isDiskFull(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  const { name, code, errno, message, cause } = error as Partial<NodeJS.ErrnoException>
  if (CODES.has(code) || (name === 'ErrnoError' && ERRNOS.has(errno))) return true
  return /no space left on device/i.test(message ?? '') || isDiskFull(cause)
}

export const DISK_FULL_AT_START =
  'На диске кончилось место, сервер не запущен. Освободите место там, где лежат DATA_DIR и база, и запустите снова: данные целы.'

export const DISK_FULL =
  'На сервере кончилось место на диске, поэтому сохранить не удалось. Попробуйте позже: как только место освободят, всё заработает само.'
