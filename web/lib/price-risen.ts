import { ApiError } from '#contract/errors.ts'

/** The server refused a price that has risen since the page named it. */
export const isPriceRisen = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status === 409 && error.field === 'most'
