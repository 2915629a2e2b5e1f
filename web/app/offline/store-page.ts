import type { SessionUser } from '#contract/page.ts'
import { forgetPerson } from '#web/lib/forget-person.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { sessionQuery } from '#web/lib/session.ts'
import { queryClient } from '../query-client.ts'
import { markSeen, rememberPerson } from './person.ts'

/**
 * Lets the browser keep layout and files of the page for the next visit (web/worker). Without a worker, in a private
 * window or without https, everything is as it was.
 */
export async function storePage(user: SessionUser): Promise<void> {
  if (user.impersonated) return forgetPerson()
  if (!navigator.serviceWorker || import.meta.env.DEV) return
  try {
    await navigator.serviceWorker.register('/worker.js')
    // A user who signs out meanwhile is forgotten already.
    if (queryClient.getQueryData(sessionQuery.queryKey)?.id !== user.id) return
    rememberPerson(user)
    await markSeen({ build: pageConfig().buildId, isAdmin: user.role === 'admin' })
  } catch {
    // The browser keeps nothing.
  }
}
