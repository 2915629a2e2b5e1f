/** Rules of the database that parallel callers may meet. */
export const FOREIGN_KEY_VIOLATION = '23503'
export const TAKEN = '23505'

/** The code of the rule that a statement broke, if that is why it failed; Drizzle wraps what the driver says. */
export function pgErrorCode(error: unknown): unknown {
  const code = (given: unknown) => (given instanceof Error && 'code' in given ? given.code : undefined)
  return error instanceof Error ? (code(error) ?? code(error.cause)) : undefined
}
