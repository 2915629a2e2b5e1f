import { SIGNED_IN_CACHE } from '#contract/shell.ts'
import { OWNER_KEY, SEALED_KEY } from './sealed/names.ts'
import { readJson } from './stored.ts'

/** Who was signed in last, by id, for a page that is opened without a network. */
export const PERSON_KEY = 'person'
/** The user has signed out without a network, so the server does not know yet. */
const UNFINISHED_KEY = 'signed-out'

/** Without this data pages wait for the server again (web/app/offline). Rejects where storage is unavailable. */
export async function forgetPerson(): Promise<void> {
  localStorage.removeItem(PERSON_KEY)
  await caches.delete(SIGNED_IN_CACHE)
}

/**
 * Seals the words of a user who is not signed in any more and opens those of the one who is, null for no one. True when
 * recordings that are in memory have changed too, and the page has to be loaded again.
 */
export async function settleWords(userId: string | null): Promise<boolean> {
  try {
    const owner = (readJson(localStorage.getItem(OWNER_KEY)) as { userId?: string } | null)?.userId
    const isSettled = (owner === undefined || owner === userId) && localStorage.getItem(SEALED_KEY) === null
    return isSettled ? false : await (await import('./sealed/words.ts')).settle(userId)
  } catch {
    return false
  }
}

export const rememberSignOut = () => localStorage.setItem(UNFINISHED_KEY, 'yes')

/** Ends the session that a sign-out without a network has left; true when it has ended now. */
export async function finishSignOut(signOut: () => Promise<unknown>): Promise<boolean> {
  try {
    if (localStorage.getItem(UNFINISHED_KEY) === null) return false
    await signOut()
    localStorage.removeItem(UNFINISHED_KEY)
    return true
  } catch {
    return false
  }
}
