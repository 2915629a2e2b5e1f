import type { SessionUser } from '#contract/page.ts'
import { forgetPerson } from '#web/lib/forget-person.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { protectWords } from '#web/lib/sealed/words.ts'
import { sessionQuery } from '#web/lib/session.ts'
import { queryClient } from '../query-client.ts'
import { markSeen, rememberPerson } from './person.ts'

/**
 * Registers the service worker, which stores layout and files of the page for the next visit. Where the browser has
 * none (private window, no https), pages load as usual.
 */
export async function storePage(user: SessionUser): Promise<void> {
  if (user.impersonated) return forgetPerson()
  protectWords(user.id).catch(() => undefined)
  if (!navigator.serviceWorker || import.meta.env.DEV) return
  try {
    await navigator.serviceWorker.register('/worker.js')
    // A user who signs out meanwhile is forgotten already.
    if (queryClient.getQueryData(sessionQuery.queryKey)?.id !== user.id) return
    rememberPerson(user)
    await markSeen({ build: pageConfig().buildId, isAdmin: user.role === 'admin' })
  } catch {
    // Without storage every visit loads the page from the server.
  }
}
