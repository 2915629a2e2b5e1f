import * as z from 'zod/mini'
import { Email, IdToken, OwnPath, Password, SignedIn, SignInAnswer, Status } from './auth-schemas.ts'
import { endpoint } from './endpoint.ts'
import { PendingQuestion } from './pending-question.ts'

/** The calls of the sign-in library, as in section 7 of the specification, that sign in and out. The library mounts them. */

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
/** Mail servers with greylisting deliver late. */
export const MAGIC_LINK_MINUTES = 15
export const MAGIC_LINK_PAUSE_MS = 60_000

export const authApi = {
  signInMagicLink: endpoint('POST', '/api/auth/sign-in/magic-link', {
    who: 'anyone',
    summary: 'Прислать письмо со ссылкой для входа',
    body: z.object({
      email: Email,
      name: z.optional(z.string()),
      callbackURL: OwnPath,
      newUserCallbackURL: OwnPath,
      errorCallbackURL: OwnPath,
      /** A question typed on the sign-in page, for the browser that opens the link. */
      metadata: z.optional(z.object({ question: z.optional(PendingQuestion) })),
    }),
    returns: Status,
  }),
  signInEmailCode: endpoint('POST', '/api/auth/sign-in/email-code', {
    who: 'anyone',
    summary: 'Войти по коду из письма: в том браузере, который попросил письмо',
    body: z.object({ email: Email, code: z.string(), callbackURL: OwnPath }),
    returns: SignInAnswer,
  }),
  signInEmail: endpoint('POST', '/api/auth/sign-in/email', {
    who: 'anyone',
    summary: 'Войти по паролю',
    body: z.object({
      email: Email,
      password: Password,
      callbackURL: OwnPath,
      rememberMe: z.optional(z.boolean()),
    }),
    returns: SignInAnswer,
  }),
  signInSocial: endpoint('POST', '/api/auth/sign-in/social', {
    who: 'anyone',
    summary: 'Войти через внешний сервис: адрес, куда перейти, или сразу вход по ID-токену',
    body: z.object({
      provider: z.string(),
      callbackURL: OwnPath,
      newUserCallbackURL: OwnPath,
      errorCallbackURL: OwnPath,
      disableRedirect: z.optional(z.boolean()),
      idToken: z.optional(IdToken),
      scopes: z.optional(z.array(z.string())),
      requestSignUp: z.optional(z.boolean()),
      loginHint: z.optional(z.string()),
    }),
    returns: SignInAnswer,
  }),
  signOut: endpoint('POST', '/api/auth/sign-out', {
    who: 'anyone',
    summary: 'Выйти',
    returns: z.object({ success: z.boolean() }),
  }),
  sendVerificationEmail: endpoint('POST', '/api/auth/send-verification-email', {
    who: 'anyone',
    summary: 'Прислать ссылку для подтверждения адреса ещё раз',
    body: z.object({ email: Email, callbackURL: OwnPath }),
    returns: Status,
  }),
  getSession: endpoint('GET', '/api/auth/get-session', {
    who: 'anyone',
    summary: 'Кто вошёл; null, если никто',
    returns: SignedIn,
  }),
}
