import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { authApi, PASSWORD_MAX, PASSWORD_MIN } from '#contract/auth.ts'
import { ApiError } from '#contract/errors.ts'
import { api } from '#web/lib/api.ts'
import { rememberWanted, wantedPath } from '#web/lib/next-path.ts'
import { paths } from '#web/lib/paths.ts'
import { refreshSession } from '#web/lib/session.ts'
import { type FormCall, useFormCall } from '#web/lib/use-form-call.ts'
import { rememberEmailSent } from './email-cooldown.ts'
import { forgetLastEmail } from './last-email.ts'

const WATCH_MS = 5000
/** Return URLs of the emails that confirm an address or reset a password. */
const confirmed = `${paths.signIn()}?mode=confirmed`
const resetting = `${paths.signIn()}?mode=reset`

/** A call that sends an email and can be repeated. */
export interface EmailCall extends FormCall {
  mutate: (input: { email: string }) => void
  isSuccess: boolean
}

export function useAskForLink() {
  return useFormCall(async (input: { email: string }) => {
    const email = readEmail(input.email)
    const body = { email, callbackURL: wantedPath(), errorCallbackURL: paths.signIn() }
    await api(authApi.signInMagicLink, { body })
    rememberEmailSent(email)
    return email
  })
}

interface PasswordSignIn {
  email: string
  password: string
  rememberMe: boolean
}

export function usePasswordSignIn() {
  return useFormCall(
    async ({ email, ...rest }: PasswordSignIn) =>
      follow(await api(authApi.signInEmail, { body: { email: readEmail(email), ...rest } })),
    refreshSession,
  )
}

export function useSocialSignIn() {
  return useFormCall(async (provider: string) => {
    const body = { provider, callbackURL: wantedPath(), errorCallbackURL: paths.signIn() }
    return follow(await api(authApi.signInSocial, { body }))
  })
}

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
    await api(authApi.signUpEmail, { body: { email, password, name, callbackURL: confirmed } })
    rememberEmailSent(email)
    return email
  }, refreshSession)
}

export function useAskForConfirmation() {
  return useFormCall(async ({ email }: { email: string }) => {
    await api(authApi.sendVerificationEmail, { body: { email, callbackURL: confirmed } })
    rememberEmailSent(email)
  })
}

export function useForgottenPassword() {
  return useFormCall(async (input: { email: string }) => {
    const email = readEmail(input.email)
    await api(authApi.requestPasswordReset, { body: { email, redirectTo: resetting } })
    rememberEmailSent(email)
    return email
  })
}

/** Ends every session of the account, including this one. */
export function useResetPassword() {
  return useFormCall(
    async ({ newPassword, token }: { newPassword: string; token: string }) =>
      api(authApi.resetPassword, { body: { newPassword: readNewPassword(newPassword), token } }),
    refreshSession,
  )
}

export function useSignOut() {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  return useMutation({
    mutationFn: () => api(authApi.signOut, {}),
    onSuccess: async () => {
      await refreshSession(client)
      // The next person to sign in here did not ask for this page.
      navigate(paths.signIn(), { replace: true })
      rememberWanted(null)
      forgetLastEmail()
    },
  })
}

/** Detects a sign-in in another tab: polls every 5 s while visible and on focus. */
export function useSignInElsewhere(): void {
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

interface Onward {
  url?: string | null | undefined
  redirect: boolean
  twoFactorRedirect?: boolean | undefined
}

/** Goes to the second step, or to `url` when the response asks for a redirect. */
export function follow<Answer extends Onward>(answer: Answer): Answer {
  if (answer.twoFactorRedirect) location.assign(paths.secondFactor())
  if (answer.redirect && answer.url) location.assign(answer.url)
  return answer
}

function nameFrom(email: string): string {
  return email.slice(0, email.indexOf('@'))
}

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
