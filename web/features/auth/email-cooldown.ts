import { useEffect, useSyncExternalStore } from 'react'
import { secondsLeft } from './countdown.ts'

/** When an email to an address was last requested. Stored for the tab, so that a reload does not shorten the wait. */

const TICK_MS = 250
const keyOf = (email: string) => `letter:${email.toLowerCase()}`

export function rememberEmailSent(email: string): void {
  sessionStorage.setItem(keyOf(email), String(Date.now()))
}

function emailSentAt(email: string): number {
  return Number(sessionStorage.getItem(keyOf(email)) ?? Date.now())
}

function everyTick(onTick: () => void) {
  const timer = setInterval(onTick, TICK_MS)
  return () => clearInterval(timer)
}

/** Without a stored time, as on a page opened by its URL, the wait starts now. */
export function useEmailCooldown(email: string): number {
  useEffect(() => {
    if (sessionStorage.getItem(keyOf(email)) === null) rememberEmailSent(email)
  }, [email])
  return useSyncExternalStore(everyTick, () => secondsLeft(emailSentAt(email), Date.now()))
}
