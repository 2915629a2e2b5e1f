import * as z from 'zod/mini'
import { AuthSession, AuthUser } from './auth-schemas.ts'
import { endpoint } from './endpoint.ts'

/** The second factor: codes of an app, recovery codes, passkeys, and the repeated proof of identity. */

export const CODE_LENGTH = 6
/** How long after the first factor the second one is accepted. */
export const PENDING_MINUTES = 10
/** How long a proof counts as fresh. */
export const PROOF_MINUTES = 15
export const TRUSTED_DAYS = 30

const Status = z.object({ status: z.boolean() })
const Code = z.object({ code: z.string(), trustDevice: z.optional(z.boolean()) })
/** Arguments and results of the browser's WebAuthn functions; their fields are not checked here. */
const Credential = z.record(z.string(), z.unknown())
const TokenAndUser = z.object({ token: z.string(), user: AuthUser })

export const Passkey = z.object({
  id: z.string(),
  name: z.optional(z.nullable(z.string())),
  createdAt: z.string(),
  /** Synchronised between the owner's devices. */
  backedUp: z.boolean(),
})
export type Passkey = z.infer<typeof Passkey>

export const ProofWay = z.enum(['code', 'passkey', 'password', 'email'])
export type ProofWay = z.infer<typeof ProofWay>

export const Proof = z.object({
  /** No proof is required now. */
  fresh: z.boolean(),
  ways: z.array(ProofWay),
  email: z.string(),
})
export type Proof = z.infer<typeof Proof>

export const FactorState = z.object({
  enabled: z.boolean(),
  codesLeft: z.number(),
  /** True for admins, who must have a second factor. */
  required: z.boolean(),
})
export type FactorState = z.infer<typeof FactorState>

export const Enrolment = z.object({
  totpURI: z.string(),
  /** The same secret for typing by hand. */
  key: z.string(),
  /** A QR code of the address, as SVG. */
  qr: z.string(),
  backupCodes: z.array(z.string()),
})
export type Enrolment = z.infer<typeof Enrolment>

export const authFactorsApi = {
  factorState: endpoint('GET', '/api/auth/two-factor/state', {
    who: 'user',
    summary: 'Включён ли вход в два шага и сколько осталось кодов восстановления',
    returns: FactorState,
  }),
  enableTotp: endpoint('POST', '/api/auth/two-factor/enable', {
    who: 'user',
    proof: 'fresh',
    summary: 'Начать вход в два шага: ключ для приложения и коды восстановления; включается после первого кода',
    returns: Enrolment,
  }),
  verifyTotp: endpoint('POST', '/api/auth/two-factor/verify-totp', {
    who: 'anyone',
    summary: 'Код из приложения: второй шаг входа, включение или подтверждение, что это вы',
    body: Code,
    returns: TokenAndUser,
  }),
  verifyBackupCode: endpoint('POST', '/api/auth/two-factor/verify-backup-code', {
    who: 'anyone',
    summary: 'Код восстановления вместо кода из приложения; каждый действует один раз',
    body: Code,
    returns: TokenAndUser,
  }),
  newBackupCodes: endpoint('POST', '/api/auth/two-factor/generate-backup-codes', {
    who: 'user',
    proof: 'fresh',
    summary: 'Новые коды восстановления; прежние перестают действовать',
    returns: z.object({ status: z.boolean(), backupCodes: z.array(z.string()) }),
  }),
  disableTotp: endpoint('POST', '/api/auth/two-factor/disable', {
    who: 'user',
    proof: 'fresh',
    summary: 'Выключить вход в два шага',
    returns: Status,
  }),

  listPasskeys: endpoint('GET', '/api/auth/passkey/list-user-passkeys', {
    who: 'user',
    summary: 'Свои ключи доступа',
    returns: z.array(Passkey),
  }),
  passkeyRegistration: endpoint('GET', '/api/auth/passkey/generate-register-options', {
    who: 'user',
    impersonation: 'refused',
    proof: 'fresh',
    summary: 'Начать добавление ключа доступа',
    returns: Credential,
  }),
  addPasskey: endpoint('POST', '/api/auth/passkey/verify-registration', {
    who: 'user',
    proof: 'fresh',
    summary: 'Добавить ключ доступа, созданный браузером',
    body: z.object({ response: Credential, name: z.optional(z.string()) }),
    returns: Passkey,
  }),
  renamePasskey: endpoint('POST', '/api/auth/passkey/update-passkey', {
    who: 'user',
    proof: 'fresh',
    summary: 'Переименовать ключ доступа',
    body: z.object({ id: z.string(), name: z.string() }),
    returns: z.object({ passkey: Passkey }),
  }),
  deletePasskey: endpoint('POST', '/api/auth/passkey/delete-passkey', {
    who: 'user',
    proof: 'fresh',
    summary: 'Удалить ключ доступа',
    body: z.object({ id: z.string() }),
    returns: Status,
  }),
  passkeySignIn: endpoint('GET', '/api/auth/passkey/generate-authenticate-options', {
    who: 'anyone',
    summary: 'Начать вход с ключом доступа',
    returns: Credential,
  }),
  signInPasskey: endpoint('POST', '/api/auth/passkey/verify-authentication', {
    who: 'anyone',
    summary: 'Войти с ключом доступа: он заменяет оба шага',
    body: z.object({ response: Credential }),
    returns: z.object({ session: AuthSession, user: AuthUser }),
  }),

  proof: endpoint('GET', '/api/auth/proof', {
    who: 'user',
    summary: 'Нужно ли подтвердить, что это вы, и чем можно',
    returns: Proof,
  }),
  provePassword: endpoint('POST', '/api/auth/proof/password', {
    who: 'user',
    summary: 'Подтвердить, что это вы, паролем',
    body: z.object({ password: z.string() }),
    returns: Status,
  }),
  provePasskey: endpoint('POST', '/api/auth/proof/passkey', {
    who: 'user',
    summary: 'Подтвердить, что это вы, ключом доступа',
    body: z.object({ response: Credential }),
    returns: Status,
  }),
  sendProofCode: endpoint('POST', '/api/auth/proof/send-code', {
    who: 'user',
    summary: 'Прислать на свою почту код подтверждения',
    returns: Status,
  }),
  proveCode: endpoint('POST', '/api/auth/proof/email-code', {
    who: 'user',
    summary: 'Подтвердить, что это вы, кодом из письма',
    body: z.object({ code: z.string() }),
    returns: Status,
  }),
}
