import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/auth.ts'
import { ApiError } from '#contract/errors.ts'

/** Throws the errors the server would answer with, before the call is made. */

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/

export function readEmail(text: string): string {
  const email = text.trim()
  if (!ADDRESS.test(email)) throw rejection('INVALID_EMAIL', 'Invalid email')
  return email
}

export function readNewPassword(password: string): string {
  if (password.length < PASSWORD_MIN) throw rejection('PASSWORD_TOO_SHORT', 'Password too short')
  if (password.length > PASSWORD_MAX) throw rejection('PASSWORD_TOO_LONG', 'Password too long')
  return password
}

function rejection(code: string, message: string): ApiError {
  return new ApiError({ status: 400, code, message })
}
