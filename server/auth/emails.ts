import { APIError } from 'better-auth/api'
import { MAGIC_LINK_MINUTES } from '#contract/auth.ts'
import { socialProviders } from '#contract/social-providers.ts'
import { sendInBackground } from '#server/email/mail.ts'
import {
  confirmChangeEmail,
  deleteAccountEmail,
  emailChangedEmail,
  joinAccountEmail,
  passwordResetEmail,
  signInEmail,
  verificationEmail,
  verifyNewAddressEmail,
} from '#server/email/templates/account.ts'
import { passwordSetEmail } from '#server/email/templates/security.ts'
import type { AuthDeps } from './deps.ts'
import { deviceIn, signLink } from './devices.ts'
import { createEmailCode } from './email-code.ts'
import { signedEmailLink } from './links.ts'
import { type LinkMetadata, storePendingQuestion } from './pending-question.ts'

const RESET_FORM = '/auth/signin?mode=reset'
const CONFIRMED = '/auth/signin?mode=confirmed'

/** The endpoint's context or the request behind it. */
interface RequestHeaders {
  headers?: Headers | undefined
}

interface LinkToUser {
  user: { email: string }
  url: string
  token: string
}

/** All but the sign-in link are sent in the background, so that no response waits for SMTP. */
export function createEmails(deps: AuthDeps) {
  const { appName } = deps
  // The other emails are counted before the call, so that the caller sees the rejection. Notices of a changed address
  // or password are always sent.
  const { limitEmail: _, ...counted } = deps
  const mark = (token: string, asker: RequestHeaders | undefined) => {
    const device = deviceIn(asker?.headers, deps.appUrl)
    return device && signLink(deps.secret, device, token)
  }
  return {
    signIn: async (
      { email, url: link, token, metadata }: { email: string; url: string; token: string; metadata?: LinkMetadata },
      asker?: RequestHeaders,
    ) => {
      await deps.limitEmail?.(email)
      if (metadata?.question) await storePendingQuestion(deps, { email, token, question: metadata.question })
      const url = signedEmailLink(link, mark(token, asker))
      const device = deviceIn(asker?.headers, deps.appUrl)
      const code = device && (await createEmailCode(deps, { email, device, token }))
      try {
        await deps.mail(signInEmail({ to: email, appName, url, code, minutes: MAGIC_LINK_MINUTES }))
      } catch (error) {
        deps.log?.error({ err: error }, 'emails: the sign-in email was not sent')
        throw new APIError('SERVICE_UNAVAILABLE', {
          code: 'MAIL_NOT_SENT',
          message: 'Не удалось отправить письмо. Попробуйте ещё раз через минуту.',
        })
      }
    },
    verification: async ({ user, url }: LinkToUser) =>
      sendInBackground(
        deps,
        verificationEmail({ to: user.email, appName, url: signedEmailLink(withDefaultLanding(url, CONFIRMED)) }),
      ),
    passwordReset: async ({ user, url }: LinkToUser) =>
      sendInBackground(deps, passwordResetEmail({ to: user.email, appName, url: withDefaultLanding(url, RESET_FORM) })),
    confirmChange: async ({ user, newEmail, url }: LinkToUser & { newEmail: string }) =>
      sendInBackground(counted, confirmChangeEmail({ to: user.email, appName, newEmail, url: signedEmailLink(url) })),
    verifyNewAddress: ({ to, url }: { to: string; url: string }) =>
      sendInBackground(deps, verifyNewAddressEmail({ to, appName, url: signedEmailLink(url) })),
    passwordSet: ({ to, isFirst }: { to: string; isFirst: boolean }) =>
      sendInBackground(counted, passwordSetEmail({ to, appName, appUrl: deps.appUrl, isFirst })),
    emailChanged: ({ to, newEmail }: { to: string; newEmail: string }) =>
      sendInBackground(counted, emailChangedEmail({ to, appName, newEmail })),
    deleteAccount: async ({ user, url: link, token }: LinkToUser, asker?: RequestHeaders) =>
      sendInBackground(
        counted,
        deleteAccountEmail({ to: user.email, appName, url: signedEmailLink(link, mark(token, asker)) }),
      ),
    joinAccount: ({ to, url, token, providerId }: JoinLink, asker?: RequestHeaders) => {
      const service = socialProviders[providerId as keyof typeof socialProviders] ?? providerId
      sendInBackground(deps, joinAccountEmail({ to, appName, service, url: signedEmailLink(url, mark(token, asker)) }))
    },
  }
}

interface JoinLink {
  to: string
  url: string
  token: string
  providerId: string
}

export type Emails = ReturnType<typeof createEmails>

/** Without a given destination the link leads to the page that says what happened. */
function withDefaultLanding(url: string, landing: string): string {
  const link = new URL(url)
  const wanted = link.searchParams.get('callbackURL')
  if (!wanted || wanted === '/') link.searchParams.set('callbackURL', landing)
  return link.href
}
