import { SIGNED_IN_CACHE } from '#contract/shell.ts'

/** Who was signed in last, by id, for a page that is opened without a network. */
export const PERSON_KEY = 'person'

/** Without this data pages wait for the server again (web/app/offline). Rejects where storage is unavailable. */
export async function forgetPerson(): Promise<void> {
  localStorage.removeItem(PERSON_KEY)
  await caches.delete(SIGNED_IN_CACHE)
}
