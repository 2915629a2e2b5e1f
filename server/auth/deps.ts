import type { SocialProviderId } from '#contract/social-providers.ts'
import type { Db } from '#server/db/client.ts'
import type { Mail } from '#server/email/mail.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Limits } from '#server/http/limits.ts'
import type { Log } from '#server/lib/log.ts'
import type { ProviderKeys } from './provider-ids.ts'

export interface SignIn {
  userId: string
  ip: string | null
  isImpersonated: boolean
}

export interface AdminFactor {
  required: boolean
  graceDays: number
}

export type Factor = 'totp' | 'passkey' | 'all'
export interface Caller {
  ip: string
  userAgent: string | null
}

/** Nothing here is read from the environment. */
export interface AuthDeps {
  db: Db
  mail: Mail
  /** Rejects when an address got too many emails lately; no limit when left out. */
  limitEmail?: (to: string) => Promise<void>
  appName: string
  appUrl: string
  secret: string
  /** Origins whose pages may call; only our own when left out. */
  trustedOrigins?: string[]
  providers?: ProviderKeys[]
  /** Providers whose verified address links accounts without asking; none when left out. */
  trustedProviders?: SocialProviderId[]
  adminEmails: string[]
  /** Users who are admins whatever their role says. */
  adminUserIds?: string[]
  /** Makes the first account an admin when no admin address is set. */
  firstUserIsAdmin: boolean
  /** Called for every new session before its first page. */
  onSignIn: (signIn: SignIn) => Promise<void>
  /** Called when sessions end, so that their sockets are closed. */
  onSessionEnded: (sessionId: string) => void
  /** Called when a user is banned, before their sessions end. */
  onBan?: (userId: string) => Promise<void>
  /** Called before an account is deleted, while its rows still exist. */
  onUserDeletion?: (user: { id: string; email: string }) => Promise<void>
  /** Called when a user's address or linked provider account changes. */
  onIdentityChanged?: (userId: string) => Promise<void>
  /** The library's scrypt when left out. */
  passwords?: {
    hash: (password: string) => Promise<string>
    verify: (attempt: { hash: string; password: string }) => Promise<boolean>
  }
  /** Counts attempts of codes and proofs; nothing is counted when left out. */
  limits?: Limits
  /** Admins need no second factor when left out. */
  adminFactor?: AdminFactor
  /** Called when users add or remove a second factor of their own. */
  onFactorChange?: (change: { action: 'added' | 'removed'; userId: string; factor: Factor } & Caller) => Promise<void>
  /** Warnings and errors of the library; silent when left out. */
  log?: Log
  /** Called with every email that is being sent, so that a stopping server can wait for it. */
  onBackground?: (work: Promise<void>) => void
}

/** Called before an admin's call is made; the returned function gets its response if it succeeds. */
export type WatchAdminCall = (ctx: Ctx, path: string, body: unknown) => Promise<(answer: unknown) => Promise<void>>
