import type { TopicEvent } from '#contract/realtime.ts'
import type { Role } from '#contract/role.ts'
import type { Db } from '#server/db/client.ts'

export interface CurrentUser {
  id: string
  email: string
  name: string
  image: string | null
  role: Role
}

export interface CurrentSession {
  id: string
  user: CurrentUser
  /** The admin who looks through this user's eyes, if any. */
  impersonatedBy: string | null
  /** When this user was seen last, to the hour. */
  lastSeenAt?: Date | null
}

/** News for all open pages of one user. Call it after the commit. */
export type Publish = (userId: string, event: TopicEvent) => void

/** Who asks, and what every verb may need. */
export interface Ctx {
  db: Db
  publish: Publish
  user: CurrentUser
  session: CurrentSession
  /** The caller's address, for limits. */
  ip: string
  /** The request behind it, where there is one. */
  request?: { id: string; userAgent: string | null }
}

/** The same before anybody has signed in. */
export type AnyoneCtx = Pick<Ctx, 'db' | 'publish'>
