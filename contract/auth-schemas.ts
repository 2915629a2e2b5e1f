import * as z from 'zod/mini'

/** The objects of the sign-in library. Unknown fields are dropped. */

export const optionalText = z.optional(z.nullable(z.string()))

export const AuthUser = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  image: optionalText,
  emailVerified: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** One role, or several separated by commas. */
  role: optionalText,
  banned: z.optional(z.nullable(z.boolean())),
  banReason: optionalText,
  banExpires: optionalText,
})
export type AuthUser = z.infer<typeof AuthUser>

export const AuthSession = z.object({
  id: z.string(),
  /** Identifies the session in revoke calls; without the signed cookie it gives no access. */
  token: z.string(),
  userId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  expiresAt: z.string(),
  ipAddress: optionalText,
  userAgent: optionalText,
  impersonatedBy: optionalText,
})
export type AuthSession = z.infer<typeof AuthSession>

export const SignedIn = z.nullable(z.object({ session: AuthSession, user: AuthUser }))
export type SignedIn = z.infer<typeof SignedIn>

export const SignInAnswer = z.object({
  /** Where to go on; null when the call named no address. */
  url: z.optional(z.nullable(z.string())),
  redirect: z._default(z.boolean(), false),
  token: z.optional(z.string()),
  user: z.optional(AuthUser),
  /** The first factor was accepted and the second is required: there is no session yet. */
  twoFactorRedirect: z.optional(z.boolean()),
})

export const LinkedAccount = z.object({
  id: z.string(),
  /** `credential` for a password, otherwise the social provider. */
  providerId: z.string(),
  accountId: z.string(),
  userId: z.string(),
  scopes: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type LinkedAccount = z.infer<typeof LinkedAccount>

export const Status = z.object({ status: z.boolean() })

export const IdToken = z.object({
  token: z.string(),
  nonce: z.optional(z.string()),
  accessToken: z.optional(z.string()),
  refreshToken: z.optional(z.string()),
  expiresAt: z.optional(z.number()),
})
export const Email = z.string()
export const Password = z.string()
export const OwnPath = z.optional(z.string())
