import { hasFields, readJson } from '#web/lib/stored.ts'

/** The address of the latest email, so that a form after a used or expired link need not ask for it again. */

const KEY = 'sign-in-email'
/** Longer than a session: people click the link of an old email when it has ended. */
const KEPT_MS = 30 * 86_400_000

interface LastEmail {
  email: string
  at: number
}

export function rememberLastEmail(email: string): void {
  localStorage.setItem(KEY, JSON.stringify({ email, at: Date.now() }))
}

export const sentKeyOf = (email: string) => `email-sent:${email.toLowerCase()}`

/** Also notes the time, for this tab: a reload must not shorten the wait for another email. */
export function rememberEmailSent(email: string): void {
  sessionStorage.setItem(sentKeyOf(email), String(Date.now()))
  rememberLastEmail(email)
}

/** Empty when there was none within a month, or when the person has signed out since. */
export function lastEmail(): string {
  const stored = readJson(localStorage.getItem(KEY))
  if (!hasFields<LastEmail>(stored, { email: 'string', at: 'number' })) return ''
  return Date.now() - stored.at < KEPT_MS ? stored.email : ''
}

export const forgetLastEmail = () => localStorage.removeItem(KEY)
