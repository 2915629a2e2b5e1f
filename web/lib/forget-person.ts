import { SEEN_CACHE } from '#contract/shell.ts'

/** Who was signed in last, by id, for a page that is opened without a network. */
export const PERSON_KEY = 'person'

/** Pages begin with the server's answer again (web/app/offline). Fails where nothing can be stored. */
export async function forgetPerson(): Promise<void> {
  localStorage.removeItem(PERSON_KEY)
  await caches.delete(SEEN_CACHE)
}
