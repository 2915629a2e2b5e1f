import * as z from 'zod/mini'

/** The address of the latest email, so that a form after a used or expired link need not ask for it again. */

const KEY = 'sign-in-email'
const DAY_MS = 86_400_000
const Stored = z.object({ email: z.string(), at: z.number() })

export function rememberLastEmail(email: string): void {
  localStorage.setItem(KEY, JSON.stringify({ email, at: Date.now() }))
}

/** Empty when none was asked for within a day, or when the person has signed out since. */
export function lastEmail(): string {
  try {
    const { email, at } = Stored.parse(JSON.parse(localStorage.getItem(KEY) ?? ''))
    return Date.now() - at < DAY_MS ? email : ''
  } catch {
    return ''
  }
}

export const forgetLastEmail = () => localStorage.removeItem(KEY)
