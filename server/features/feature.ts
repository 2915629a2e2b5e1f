import type { Auth } from '#server/auth/auth.ts'
import type { AuthDeps, SignIn, WatchAdminCall } from '#server/auth/deps.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/client.ts'
import type { Publish } from '#server/http/context.ts'
import type { Limits } from '#server/http/limits.ts'
import type { App } from '#server/http/route.ts'
import type { Instance } from '#server/instances/instance.ts'
import type { Recoverable } from '#server/instances/recovery.ts'
import type { Job } from '#server/jobs/jobs.ts'
import type { Sweep } from '#server/jobs/sweeps.ts'
import type { Log } from '#server/lib/log.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { Shops } from '#server/payments/shop.ts'
import type { Bus } from '#server/realtime/bus.ts'
import type { Hub } from '#server/realtime/hub.ts'
import type { EngineDeps } from './answers/engine.ts'
import type { FileDeps } from './files/deps.ts'
import type { Health } from './health/health.ts'
import type { StoredKind } from './storage/kinds.ts'
import type { OwnedStorage } from './storage/owner.ts'

/** The order in index.ts is that of opening, hooks and recovery. */
export interface Feature<Handle = unknown> {
  name: string
  /** The server works without it: its calls answer 404. */
  isOptional?: true
  /** The objects that it has in the file storage. */
  stored?: StoredKind[]
  /** Adds the rows that the settings ask for, at every start before anything is opened. */
  prepare?: (start: Pick<Core, 'db' | 'log'> & { settings: Config }) => Promise<void>
  open: (core: Core) => Opened<Handle> | Promise<Opened<Handle>>
}

export interface Opened<Handle = unknown> {
  /** What `core.features` gives to other features, to the server and to tests. */
  handle?: Handle
  /** Calls of other servers, mounted before the origin check. */
  webhooks?: (app: App) => void
  routes?: (app: App) => void
  jobs?: Job[]
  sweeps?: Sweep[]
  recover?: Recoverable
  /** Stops accepting work and lets running work finish for `drainMs`. */
  close?: (drainMs: number) => Promise<void>
}

/** What every feature gets. The server opens it by its settings, tests with fakes. */
export interface Core {
  settings: Config & { secret: string; buildId: string }
  db: Db
  log: Log
  limits: Limits
  bus: Bus
  hub: Pick<Hub, 'changes' | 'endSession' | 'onSessionEnd'>
  publish: Publish
  providers: Providers
  files: FileDeps & { owned: OwnedStorage }
  /** Payment gateways; null for those that are not set up. */
  shops: Shops
  instance: Pick<Instance, 'id'>
  health: Health
  auth: Auth
  hooks: Hooks
  /** Receives background work, so that a stopping server can wait for it. */
  onBackground: (work: Promise<void>) => void
  features: Handles
}

/** The handles of the features that are already open. */
export interface Handles {
  get: <Handle>(feature: Feature<Handle>) => Handle
  /** Undefined for an optional feature that is not in the list. */
  find: <Handle>(feature: Feature<Handle>) => Handle | undefined
}

type Hook<Args extends unknown[]> = ((...args: Args) => unknown)[]

/** Functions that features add when they open. They are called one after another, or not at all when there are none. */
export interface Hooks {
  signIn: Hook<[SignIn]>
  ban: Hook<[userId: string]>
  /** Before an account is deleted, while its rows still exist. */
  userDeletion: Hook<[{ id: string; email: string }]>
  identityChange: Hook<[userId: string]>
  factorChange: Hook<Parameters<NonNullable<AuthDeps['onFactorChange']>>>
  adminCall: WatchAdminCall[]
  /** Before a change by a user; throws 403 when a consent is lacking. */
  consents: Hook<[userId: string]>
  /** After an answer with a follow-up has been stored. */
  afterAnswer: Hook<Parameters<EngineDeps['afterAnswer']>>
  outOfSymbols: Hook<[userId: string]>
}

/** Calls the functions of a hook in their order; the first error ends it. */
export const callAll =
  <Args extends unknown[]>(hook: Hook<Args>) =>
  async (...args: Args): Promise<void> => {
    for (const listener of hook) await listener(...args)
  }
