/**
 * What may be written about a failed call to another service. Its answer may quote what people wrote, so nothing of the
 * answer is stored here but a code of the list below, and the id that the service gave to the request.
 */
export interface Failure {
  /** Our name of the service. */
  service?: string
  /** The HTTP status; absent without a response. */
  status?: number
  /** A code of the list, or that of Node for a connection. */
  code?: string
  requestId?: string
}

/** Error codes of services, the more exact first. Only these words of an answer reach the log. */
const codes = [
  'context_length_exceeded',
  'insufficient_quota',
  'credit_balance_too_low',
  'content_filter',
  'content_policy_violation',
  'moderation_blocked',
  'model_not_found',
  'unsupported_parameter',
  'unsupported_value',
  'invalid_api_key',
  'invalid_image',
  'invalid_prompt',
  'string_above_max_length',
  'rate_limit_exceeded',
  'server_overloaded',
  'QUOTA_LIMITED',
  'RATE_LIMITED',
  'SUBSCRIPTION_TOKEN_INVALID',
  'API_KEY_INVALID',
  'authentication_error',
  'billing_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
  'rate_limit_error',
  'timeout_error',
  'overloaded_error',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'NOT_FOUND',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'DEADLINE_EXCEEDED',
  'UNAVAILABLE',
  'INVALID_ARGUMENT',
  'invalid_request_error',
  'api_error',
  'server_error',
  'INTERNAL',
] as const

const NAMED = /"(?:code|type|status|reason)"\s{0,9}:\s{0,9}"(\w{3,40})"/g
/** Codes are at the beginning of an answer. */
const MAX_READ = 4000

function knownCode(body: string): string | undefined {
  const named = new Set<string>()
  for (const [, name = ''] of body.slice(0, MAX_READ).matchAll(NAMED)) named.add(name)
  return codes.find((code) => named.has(code))
}

const NODE_CODE = /^[A-Z][A-Z0-9_]{2,60}$/

/** Node's code of a broken connection, from the error or what caused it. */
export function connectionCode(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 5) return undefined
  const { code } = error as NodeJS.ErrnoException
  if (typeof code === 'string' && NODE_CODE.test(code)) return code
  const [first] = error instanceof AggregateError ? error.errors : []
  return connectionCode(error.cause, depth + 1) ?? connectionCode(first, depth + 1)
}

const ID_HEADERS = ['x-request-id', 'request-id', 'x-amz-request-id', 'x-trace-id']
const ID = /^[\w.:-]{6,80}$/

type Headers = Record<string, string | string[] | undefined> | { get: (name: string) => string | null }

const headerIn = (headers: Headers, name: string) =>
  typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name]

interface Response {
  status: number
  body: string
  headers?: Headers
}

export function failureOf({ status, body, headers = {} }: Response): Failure {
  const code = knownCode(body)
  const requestId = ID_HEADERS.map((name) => headerIn(headers, name)).find(
    (id): id is string => typeof id === 'string' && ID.test(id),
  )
  return { status, ...(code && { code }), ...(requestId && { requestId }) }
}

export function connectionFailure(cause: unknown): Failure {
  const code = connectionCode(cause)
  return code ? { code } : {}
}
