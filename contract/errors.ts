import * as z from 'zod/mini'

export const errorStatus = {
  bad_request: 400,
  unauthorized: 401,
  out_of_symbols: 402,
  forbidden: 403,
  impersonated: 403,
  proof_required: 403,
  second_factor_required: 403,
  consent_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  thought_limit: 422,
  too_many_requests: 429,
  internal: 500,
  model_failed: 502,
  unavailable: 503,
  payments_off: 503,
  out_of_space: 507,
} as const

export type ErrorCode = keyof typeof errorStatus

export const ErrorBody = z.object({
  status: z.number(),
  code: z.string(),
  message: z.string(),
  /** The invalid field of the request, for 400. */
  field: z.optional(z.string()),
  /** The unavailable service, for 503. */
  reason: z.optional(z.string()),
  /** Seconds until a retry makes sense; also in the header Retry-After. */
  retryAfter: z.optional(z.number()),
})
export type ErrorBody = z.infer<typeof ErrorBody>

export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly field: string | undefined
  readonly reason: string | undefined
  readonly retryAfter: number | undefined

  constructor({ status, code, message, field, reason, retryAfter }: ErrorBody) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.field = field
    this.reason = reason
    this.retryAfter = retryAfter
  }
}
