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
  impersonatedBy: string | null
  /** Rounded to the hour. */
  lastSeenAt?: Date | null
  /** Whether a consent to the seller's documents is lacking, where it was read together with the session. */
  lacksConsent?: boolean
}

/** Sends an event to all open pages of a user. Call it after the commit. */
export type Publish = (userId: string, event: TopicEvent) => void

/** The returned function unsubscribes. */
export type OnSessionEnd = (sessionId: string, onEnd: () => void) => () => void

/** The caller, and what every function of a feature may need. */
export interface Ctx {
  db: Db
  publish: Publish
  user: CurrentUser
  session: CurrentSession
  ip: string
  request?: { id: string; userAgent: string | null }
}

/** The same for work in the background, which has an owner and no caller. */
export type OwnerCtx = Pick<Ctx, 'db' | 'publish'> & { user: Pick<CurrentUser, 'id'> }

/** The same without a session. */
export type AnyoneCtx = Pick<Ctx, 'db' | 'publish'>
