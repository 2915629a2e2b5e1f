import { ApiError } from '#contract/errors.ts'

/** The text of any failed call: the specification, section 8. */
export function describeError(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Unknown error'
  return error.status === 0 ? error.message : `${error.status}: ${error.message}`
}

/** No session behind the call. A wrong password is a 401 too, but with a code of its own. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unauthorized'
}

export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
