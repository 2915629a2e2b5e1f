const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
const passing = new Set([408, 409, 425, 429, 500, 502, 503, 504])

/** Whether an answer is asked for once more: only requests that change nothing, only failures that may pass. */
export function isRetried(method: string, status: number): boolean {
  return idempotent.has(method.toUpperCase()) && passing.has(status)
}
