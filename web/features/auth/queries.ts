import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { authApi } from '#contract/auth.ts'
import { ApiError } from '#contract/errors.ts'
import { api } from '#web/lib/api.ts'
import { rememberWantedPath, wantedPath } from '#web/lib/next-path.ts'
import { paths } from '#web/lib/paths.ts'
import { questionForLink } from '#web/lib/pending-question.ts'
import { leaveWithoutServer, refreshSession, sessionQuery } from '#web/lib/session.ts'
import { type FormCall, useFormCall } from '#web/lib/use-form-call.ts'
import { forgetLastEmail, rememberEmailSent } from './last-email.ts'

/** The return URL of the emails that confirm an address. */
export const confirmedPath = `${paths.signIn()}?mode=confirmed`

/** A call that sends an email and can be repeated. */
export interface EmailCall extends FormCall {
  mutate: (input: { email: string }) => void
  isSuccess: boolean
}

export function useRequestSignInLink() {
  return useFormCall(async (input: { email: string }) => {
    const email = readEmail(input.email)
    const question = questionForLink()
    const body = { email, callbackURL: wantedPath(), errorCallbackURL: paths.signIn() }
    await api(authApi.signInMagicLink, { body: { ...body, ...(question && { metadata: { question } }) } })
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
      followRedirect(await api(authApi.signInEmail, { body: { email: readEmail(email), ...rest } })),
    refreshSession,
  )
}

export function useSocialSignIn() {
  return useFormCall(async (provider: string) => {
    const body = { provider, callbackURL: wantedPath(), errorCallbackURL: paths.signIn() }
    return followRedirect(await api(authApi.signInSocial, { body }))
  })
}

export function useRequestConfirmation() {
  return useFormCall(async ({ email }: { email: string }) => {
    await api(authApi.sendVerificationEmail, { body: { email, callbackURL: confirmedPath } })
    rememberEmailSent(email)
  })
}

export function useSignOut() {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  return useMutation({
    // Without a network it must not wait: the person wants to leave this browser now.
    networkMode: 'always',
    mutationFn: async () => {
      const user = client.getQueryData(sessionQuery.queryKey)
      if (user) await (await import('#web/lib/sealed/words.ts')).protectWords(user.id).catch(() => undefined)
      return api(authApi.signOut, {}).then(
        () => true,
        (error: ApiError) => {
          if (error.status !== 0) throw error
          return false
        },
      )
    },
    onSuccess: async (isEnded) => {
      if (isEnded) await refreshSession(client)
      else await leaveWithoutServer(client)
      // The next person to sign in here did not ask for this page.
      navigate(paths.signIn(), { replace: true })
      rememberWantedPath(null)
      forgetLastEmail()
    },
  })
}

interface RedirectAnswer {
  url?: string | null | undefined
  redirect: boolean
  twoFactorRedirect?: boolean | undefined
}

/** Goes to the second step, or to `url` when the response asks for a redirect. */
export function followRedirect<Answer extends RedirectAnswer>(answer: Answer): Answer {
  if (answer.twoFactorRedirect) location.assign(paths.secondFactor())
  if (answer.redirect && answer.url) location.assign(answer.url)
  return answer
}

/** Throws the errors the server would answer with, before the call is made. */

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/

export function readEmail(text: string): string {
  const email = text.trim()
  if (!ADDRESS.test(email)) throw rejection('INVALID_EMAIL', 'Invalid email')
  return email
}

export function rejection(code: string, message: string): ApiError {
  return new ApiError({ status: 400, code, message })
}
