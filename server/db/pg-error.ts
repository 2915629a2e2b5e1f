/** Constraint violations that parallel requests may cause. */
export const FOREIGN_KEY_VIOLATION = '23503'
export const UNIQUE_VIOLATION = '23505'

/** The SQL state of a failed statement; Drizzle wraps the driver's error. */
export function pgErrorCode(error: unknown): unknown {
  const code = (given: unknown) => (given instanceof Error && 'code' in given ? given.code : undefined)
  return error instanceof Error ? (code(error) ?? code(error.cause)) : undefined
}
