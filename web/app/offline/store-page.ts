import type { SessionUser } from '#contract/page.ts'
import { forgetPerson } from '#web/lib/forget-person.ts'
import { protectWords } from '#web/lib/sealed/words.ts'
import { sessionQuery } from '#web/lib/session.ts'
import { queryClient } from '../query-client.ts'
import { rememberPerson } from './person.ts'

/**
 * Registers the service worker, which stores layouts and files for visits without a network. Where the browser has none
 * (private window, no https), such visits fail.
 */
export async function storePage(user: SessionUser): Promise<void> {
  if (user.impersonated) return forgetPerson()
  protectWords(user.id).catch(() => undefined)
  if (!navigator.serviceWorker || import.meta.env.DEV) return
  try {
    const registration = await navigator.serviceWorker.register('/worker.js')
    const isSameUser = queryClient.getQueryData(sessionQuery.queryKey)?.id === user.id
    if (isSameUser) rememberPerson(user)
    else await registration.unregister()
  } catch {
    // Without storage there are no visits without a network.
  }
}
