import { useQuery, useQueryClient } from '@tanstack/react-query'
import { accountApi } from '#contract/account.ts'
import { authApi, PASSWORD_MAX, PASSWORD_MIN } from '#contract/auth.ts'
import { api } from '#web/lib/api.ts'
import { paths } from '#web/lib/paths.ts'
import { refreshSession } from '#web/lib/session.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import { rememberEmailSent } from './last-email.ts'
import { confirmedPath, readEmail, rejection } from './queries.ts'

/** The return URL of the emails that reset a password. */
const resetPath = `${paths.signIn()}?mode=reset`

interface NewAccount {
  name: string
  email: string
  password: string
}

/** Creates an account; the address is confirmed by a link in the email that the server sends. */
export function useSignUp() {
  return useFormCall(async (input: NewAccount) => {
    const email = readEmail(input.email)
    const password = readNewPassword(input.password)
    const name = input.name.trim() || nameFrom(email)
    await api(accountApi.signUpEmail, { body: { email, password, name, callbackURL: confirmedPath } })
    rememberEmailSent(email)
    return email
  }, refreshSession)
}

export function useForgottenPassword() {
  return useFormCall(async (input: { email: string }) => {
    const email = readEmail(input.email)
    await api(accountApi.requestPasswordReset, { body: { email, redirectTo: resetPath } })
    rememberEmailSent(email)
    return email
  })
}

/** Ends every session of the account, including this one. */
export function useResetPassword() {
  return useFormCall(
    async ({ newPassword, token }: { newPassword: string; token: string }) =>
      api(accountApi.resetPassword, { body: { newPassword: readNewPassword(newPassword), token } }),
    refreshSession,
  )
}

function nameFrom(email: string): string {
  return email.slice(0, email.indexOf('@'))
}

export function readNewPassword(password: string): string {
  if (password.length < PASSWORD_MIN) throw rejection('PASSWORD_TOO_SHORT', 'Password too short')
  if (password.length > PASSWORD_MAX) throw rejection('PASSWORD_TOO_LONG', 'Password too long')
  return password
}

const WATCH_MS = 5000

/** Detects a sign-in in another tab: polls every 5 s while visible and on focus. */
export function useWatchSignIn(): void {
  const client = useQueryClient()
  useQuery({
    queryKey: ['session', 'elsewhere'],
    queryFn: async ({ signal }) => {
      const signedIn = await api(authApi.getSession, {}, { signal })
      if (signedIn) await refreshSession(client)
      return signedIn !== null
    },
    refetchInterval: WATCH_MS,
    refetchOnWindowFocus: 'always',
    meta: { silent: true },
  })
}
