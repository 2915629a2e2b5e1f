import { SEEN_CACHE } from '#contract/shell.ts'

/** Who was signed in last, by id, for a page that is opened without a network. */
export const PERSON_KEY = 'person'

/** Pages begin with the server's answer again (web/app/offline). */
export function forgetPerson(): void {
  try {
    localStorage.removeItem(PERSON_KEY)
  } catch {
    // Storage may be forbidden; then nothing is stored.
  }
  // Absent without https.
  globalThis.caches?.delete(SEEN_CACHE).catch(() => undefined)
}
