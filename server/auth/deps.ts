import type { Db } from '#server/db/client.ts'
import type { Mail } from '#server/email/mail.ts'
import type { Limits } from '#server/http/limits.ts'
import type { Log } from '#server/lib/log.ts'
import type { ProviderKeys, SocialProviderId } from './provider-ids.ts'
import type { AdminFactor } from './second-factor/requirement.ts'

/** A session that has just begun. */
export interface SignIn {
  userId: string
  ip: string | null
  /** An administrator looks through the user's eyes. */
  isImpersonated: boolean
}

export type Factor = 'totp' | 'passkey' | 'all'
export interface Caller {
  ip: string
  userAgent: string | null
}

/** Everything sign-in needs from outside. Nothing here is read from the environment. */
export interface AuthDeps {
  db: Db
  mail: Mail
  /** Refuses when one address has got many emails lately, whatever they were about; no limit when left out. */
  limitEmail?: (to: string) => Promise<void>
  appName: string
  appUrl: string
  secret: string
  /** Origins whose pages may call; our own address when left out. */
  trustedOrigins?: string[]
  /** Social providers with their keys; none when left out. */
  providers?: ProviderKeys[]
  /** Whose word on an address joins accounts without asking; nobody's when left out. */
  trustedProviders?: SocialProviderId[]
  /** Addresses that belong to the administrators. */
  adminEmails: string[]
  /** Users who are administrators whatever their role says. */
  adminUserIds?: string[]
  /** Makes the first account an administrator when no address is set. */
  firstUserIsAdmin: boolean
  /** Called with every new session before its owner sees a page. */
  onSignIn: (signIn: SignIn) => Promise<void>
  /** Called when sessions end, so that their open sockets end too. */
  onSessionEnded: (sessionId: string) => void
  /** Called before an account is deleted, while its rows are still there. */
  onUserDeletion?: (user: { id: string; email: string }) => Promise<void>
  /** Called when somebody has another address, or another account at a provider to sign in with. */
  onIdentityChanged?: (userId: string) => Promise<void>
  /** How passwords are kept; the library's scrypt when left out. */
  passwords?: {
    hash: (password: string) => Promise<string>
    verify: (attempt: { hash: string; password: string }) => Promise<boolean>
  }
  /** Counts tries of codes and proofs; nothing is counted when left out. */
  limits?: Limits
  /** Whether administrators need a second factor; they do not when left out. */
  adminFactor?: AdminFactor
  /** Called when a person's own second factor came or went. */
  onFactorChange?: (change: { action: 'added' | 'removed'; userId: string; factor: Factor } & Caller) => Promise<void>
  /** Warnings and errors of the library; silent when left out. */
  log?: Log
  /** Told of every letter still on its way, so that a stopping server can wait for it. */
  onBackground?: (work: Promise<void>) => void
}
