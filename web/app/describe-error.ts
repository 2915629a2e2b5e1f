import { ApiError } from '#contract/errors.ts'

/** The text of a failed call, by section 8 of the specification. */
export function describeError(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Unknown error'
  return error.status === 0 ? error.message : `${error.status}: ${error.message}`
}

/** The call had no session. A wrong password is a 401 too, but with another code. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unauthorized'
}

export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
