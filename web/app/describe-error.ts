import { ApiError } from '#contract/errors.ts'
import { callErrorText } from '#web/lib/error-text.ts'

/** The text of a failed call in a toast. The message of a bug is not for people. */
export const describeError = (error: unknown): string => callErrorText(error instanceof ApiError ? error : null)

/** The call had no session. A wrong password is a 401 too, but with another code. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unauthorized'
}

export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
