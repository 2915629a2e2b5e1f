import { ApiError } from '#contract/errors.ts'

/** The text of a failed call, by section 8 of the specification: «{status}: {message}». A lost network has no status. */
export function callErrorText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : 'Unknown error'
  return statusAndMessage(error)
}

export function statusAndMessage({ status, message }: { status: number; message: string }): string {
  return status === 0 ? message : `${status}: ${message}`
}
