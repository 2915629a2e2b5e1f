import * as z from 'zod/mini'

/** What the sign-in library speaks of. Unknown fields fall off. */

export const optionalText = z.optional(z.nullable(z.string()))

export const AuthUser = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  image: optionalText,
  emailVerified: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** One role or several, separated by commas. */
  role: optionalText,
  banned: z.optional(z.nullable(z.boolean())),
  banReason: optionalText,
  banExpires: optionalText,
})
export type AuthUser = z.infer<typeof AuthUser>

export const AuthSession = z.object({
  id: z.string(),
  /** Names the session in revoke calls; it opens nothing without the signed cookie. */
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

export const LinkedAccount = z.object({
  id: z.string(),
  /** `credential` for a password, otherwise a social provider. */
  providerId: z.string(),
  accountId: z.string(),
  userId: z.string(),
  scopes: z.array(z.string()),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type LinkedAccount = z.infer<typeof LinkedAccount>
