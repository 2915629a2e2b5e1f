import { BASE_ERROR_CODES, type GenericEndpointContext } from 'better-auth'
import { APIError } from 'better-auth/api'

export function assertPasswordFits({ context }: GenericEndpointContext, password: string): void {
  const { minPasswordLength, maxPasswordLength } = context.password.config
  if (password.length < minPasswordLength) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.PASSWORD_TOO_SHORT)
  if (password.length > maxPasswordLength) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.PASSWORD_TOO_LONG)
}

/** The user's password account, once the given password has proven right. */
export async function verifiedCredential(ctx: GenericEndpointContext, userId: string, password: string) {
  const { internalAdapter, password: passwords } = ctx.context
  if (password.length > passwords.config.maxPasswordLength) {
    throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.PASSWORD_TOO_LONG)
  }
  const account = await internalAdapter.findCredentialAccount(userId)
  if (!account?.password) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.CREDENTIAL_ACCOUNT_NOT_FOUND)
  const right = await passwords.verify({ hash: account.password, password })
  if (!right) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.INVALID_PASSWORD)
  return account
}
