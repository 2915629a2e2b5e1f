import { ApiError } from '#contract/errors.ts'

/** The text of any failed call: the specification, section 8. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Unknown error'
  return error.status === 0 ? error.message : `${error.status}: ${error.message}`
}

export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
