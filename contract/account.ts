import * as z from 'zod/mini'
import {
  AuthSession,
  AuthUser,
  Email,
  IdToken,
  LinkedAccount,
  OwnPath,
  optionalText,
  Password,
  Status,
} from './auth-schemas.ts'
import { endpoint } from './endpoint.ts'

/** The calls of the sign-in library that make and change an account. Apart from signing in: no first screen makes them. */

const Sent = z.object({ status: z.boolean(), message: z.string() })
/** The page goes to `url` when `redirect` is true. */
const RedirectFields = { url: z.optional(z.string()), redirect: z.boolean() }

const WhichAccount = z.object({
  providerId: z.string(),
  /** The provider's account id or the id of our row; needed only with several accounts of one provider. */
  accountId: z.optional(z.string()),
  /** Only for calls without a session inside the server; with a session it is ignored. */
  userId: z.optional(z.string()),
})
const AccessToken = z.object({
  accessToken: z.string(),
  accessTokenExpiresAt: z.optional(z.nullable(z.string())),
  scopes: z.array(z.string()),
  idToken: z.optional(z.nullable(z.string())),
})
export const accountApi = {
  signUpEmail: endpoint('POST', '/api/auth/sign-up/email', {
    who: 'anyone',
    summary: 'Завести учётную запись с паролем; войти можно после подтверждения почты',
    body: z.object({ email: Email, password: Password, name: z.string(), callbackURL: OwnPath }),
    returns: z.object({ token: z.nullable(z.string()), user: AuthUser }),
  }),
  requestPasswordReset: endpoint('POST', '/api/auth/request-password-reset', {
    who: 'anyone',
    summary: 'Прислать ссылку для нового пароля; ответ один и тот же, есть такой адрес или нет',
    body: z.object({ email: Email, redirectTo: OwnPath }),
    returns: Sent,
  }),
  forgetPassword: endpoint('POST', '/api/auth/forget-password', {
    who: 'anyone',
    summary: 'То же, что request-password-reset, под прежним названием',
    body: z.object({ email: Email, redirectTo: OwnPath }),
    returns: Sent,
  }),
  resetPassword: endpoint('POST', '/api/auth/reset-password', {
    who: 'anyone',
    summary: 'Задать новый пароль по ключу из письма; остальные входы завершаются',
    body: z.object({ newPassword: Password, token: z.optional(z.string()) }),
    returns: Status,
  }),
  changePassword: endpoint('POST', '/api/auth/change-password', {
    who: 'user',
    proof: 'in-call',
    summary: 'Сменить пароль, зная прежний; по желанию завершить остальные входы и отключить ключи API',
    body: z.object({
      newPassword: Password,
      currentPassword: Password,
      revokeOtherSessions: z.optional(z.boolean()),
      /** By default as the other sessions: who fears a thief must not forget the keys. */
      endApiKeys: z.optional(z.boolean()),
    }),
    returns: z.object({ token: z.nullable(z.string()), user: AuthUser }),
  }),
  createPassword: endpoint('POST', '/api/auth/create-password', {
    who: 'user',
    proof: 'fresh',
    summary: 'Задать первый пароль тому, кто вошёл по ссылке или через внешний сервис',
    body: z.object({ newPassword: Password }),
    returns: Status,
  }),
  deleteUser: endpoint('POST', '/api/auth/delete-user', {
    who: 'user',
    proof: 'in-call',
    summary: 'Удалить учётную запись: сразу по паролю или ключу, иначе по ссылке из письма',
    body: z.object({
      callbackURL: OwnPath,
      password: z.optional(Password),
      token: z.optional(z.string()),
    }),
    returns: z.object({ success: z.boolean(), message: z.string() }),
  }),
  changeEmail: endpoint('POST', '/api/auth/change-email', {
    who: 'user',
    proof: 'fresh',
    summary: 'Сменить адрес: неподтверждённый сразу, подтверждённый после письма на прежний',
    body: z.object({ newEmail: Email, callbackURL: OwnPath }),
    returns: Status,
  }),
  updateUser: endpoint('POST', '/api/auth/update-user', {
    who: 'user',
    summary: 'Изменить своё имя или картинку',
    body: z.object({ name: z.optional(z.string()), image: optionalText }),
    returns: Status,
  }),
  verifyEmail: endpoint('GET', '/api/auth/verify-email', {
    who: 'anyone',
    summary: 'Подтвердить адрес по ключу из письма; с callbackURL отвечает переходом',
    query: z.object({ token: z.string(), callbackURL: OwnPath }),
    returns: z.object({ status: z.boolean(), user: z.optional(z.nullable(AuthUser)) }),
  }),
  listAccounts: endpoint('GET', '/api/auth/list-accounts', {
    who: 'user',
    summary: 'Способы входа: пароль и внешние сервисы',
    returns: z.array(LinkedAccount),
  }),
  linkSocial: endpoint('POST', '/api/auth/link-social', {
    who: 'user',
    proof: 'fresh',
    summary: 'Привязать внешний сервис',
    body: z.object({
      provider: z.string(),
      callbackURL: OwnPath,
      errorCallbackURL: OwnPath,
      disableRedirect: z.optional(z.boolean()),
      idToken: z.optional(IdToken),
      requestSignUp: z.optional(z.boolean()),
      scopes: z.optional(z.array(z.string())),
    }),
    returns: z.object({ ...RedirectFields, status: z.optional(z.boolean()) }),
  }),
  unlinkAccount: endpoint('POST', '/api/auth/unlink-account', {
    who: 'user',
    proof: 'fresh',
    summary: 'Отвязать способ входа, кроме последнего',
    body: z.object({ providerId: z.string(), accountId: z.optional(z.string()) }),
    returns: Status,
  }),
  getAccessToken: endpoint('POST', '/api/auth/get-access-token', {
    // Without a session it has an error of its own.
    who: 'anyone',
    impersonation: 'refused',
    summary: 'Ключ доступа внешнего сервиса; обновляется, если до конца меньше 5 секунд',
    body: WhichAccount,
    returns: AccessToken,
  }),
  refreshToken: endpoint('POST', '/api/auth/refresh-token', {
    // Without a session it has an error of its own.
    who: 'anyone',
    impersonation: 'refused',
    summary: 'Обновить ключ доступа внешнего сервиса',
    body: WhichAccount,
    returns: AccessToken,
  }),
  accountInfo: endpoint('POST', '/api/auth/account-info', {
    who: 'user',
    summary: 'Что внешний сервис сообщает о пользователе',
    body: z.object({ accountId: z.string() }),
    returns: z.object({ user: z.looseObject({ id: z.string() }), data: z.record(z.string(), z.unknown()) }),
  }),
  listSessions: endpoint('GET', '/api/auth/list-sessions', {
    who: 'user',
    proof: 'fresh',
    summary: 'Свои действующие входы на всех устройствах',
    returns: z.array(AuthSession),
  }),
  revokeSession: endpoint('POST', '/api/auth/revoke-session', {
    who: 'user',
    proof: 'fresh',
    summary: 'Завершить один свой вход',
    body: z.object({ token: z.string() }),
    returns: Status,
  }),
  revokeSessions: endpoint('POST', '/api/auth/revoke-sessions', {
    who: 'user',
    proof: 'fresh',
    summary: 'Завершить все свои входы, и этот тоже',
    returns: Status,
  }),
  revokeOtherSessions: endpoint('POST', '/api/auth/revoke-other-sessions', {
    who: 'user',
    proof: 'fresh',
    summary: 'Завершить все свои входы, кроме этого',
    returns: Status,
  }),
  ok: endpoint('GET', '/api/auth/ok', {
    who: 'anyone',
    summary: 'Вход работает',
    returns: z.object({ ok: z.boolean() }),
  }),
}
