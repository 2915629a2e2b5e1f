import { ApiError } from '#contract/errors.ts'

/** The text of a failed call that is shown in place, not as a toast. */
export function callErrorText(error: unknown): string {
  if (error instanceof ApiError) return readableMessage(error.status, error.message)
  return error instanceof Error ? error.message : 'Unknown error'
}

/** The sentence of the server, or «{status}: {message}» when there is none, as when a proxy answers. */
export function readableMessage(status: number, message: string): string {
  return status === 0 || /[а-яё]/i.test(message) ? message : `${status}: ${message}`
}
