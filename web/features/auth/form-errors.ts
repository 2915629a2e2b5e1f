import { ApiError } from '#contract/errors.ts'
import { errorText } from './error-texts.ts'

type Field = 'email' | 'password' | 'newPassword'

/** Error texts by field; `form` is shown over the button. */
export interface FormErrors extends Partial<Record<Field | 'form', string>> {
  /** The session is too old: the user has to sign in again. */
  needsSignIn?: boolean
}

const stale = new Set(['SESSION_NOT_FRESH', 'SESSION_EXPIRED'])

const fields: Record<string, Field> = {
  INVALID_EMAIL: 'email',
  USER_ALREADY_EXISTS: 'email',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'email',
  'Email is the same': 'email',
  "Couldn't update your email": 'email',
  INVALID_PASSWORD: 'password',
  PASSWORD_TOO_SHORT: 'newPassword',
  PASSWORD_TOO_LONG: 'newPassword',
}

export function formErrorsOf(error: Error | null): FormErrors {
  if (!error) return {}
  if (!(error instanceof ApiError)) return { form: error.message }
  const field = fields[error.code] ?? fields[error.message] ?? 'form'
  return { [field]: errorText(error), ...(stale.has(error.code) && { needsSignIn: true }) }
}
