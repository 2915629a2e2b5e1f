import { useEffect, useSyncExternalStore } from 'react'
import { MAGIC_LINK_PAUSE_MS } from '#contract/auth.ts'
import { everyTick } from '#web/lib/countdown.ts'
import { rememberEmailSent, sentKeyOf } from './last-email.ts'

function emailSentAt(email: string): number {
  return Number(sessionStorage.getItem(sentKeyOf(email)) ?? Date.now())
}

/** Without a stored time, as on a page opened by its URL, the wait starts now. */
export function useEmailCooldown(email: string): number {
  useEffect(() => {
    if (sessionStorage.getItem(sentKeyOf(email)) === null) rememberEmailSent(email)
  }, [email])
  return useSyncExternalStore(everyTick, () => secondsLeft(emailSentAt(email), Date.now()))
}

/** Seconds until another email may be requested; setting the clock back never makes the wait longer. */
export function secondsLeft(sentAt: number, now: number): number {
  const left = Math.min(sentAt + MAGIC_LINK_PAUSE_MS - now, MAGIC_LINK_PAUSE_MS)
  return Math.max(Math.ceil(left / 1000), 0)
}
