import { createAuth } from './auth/auth.ts'
import type { AuthDeps, WatchAdminCall } from './auth/deps.ts'
import type { Mail } from './email/mail.ts'
import { normaliseEmail } from './features/billing/identity-hashes.ts'
import { type Core, callAll, type Feature, type Handles, type Hooks, type Opened } from './features/feature.ts'
import { features } from './features/index.ts'
import { trustedOrigins } from './http/security.ts'

/** What is opened before the features. */
export interface CoreParts extends Omit<Core, 'auth' | 'hooks' | 'onBackground' | 'features'> {
  mail: Mail
  /** Replaces parts of authentication in tests. */
  auth?: Partial<AuthDeps>
}

export interface Features {
  core: Core
  opened: Opened[]
  watchAdminCall: WatchAdminCall
  /** Stops accepting work and lets running work finish for `drainMs`. */
  close: (drainMs: number) => Promise<void>
  /** Waits for emails and gateway requests that run in the background. */
  finishBackground: () => Promise<void>
}

/** Opens the features of the list, the same way in the server and in tests. */
export async function openFeatures({ mail, auth, ...parts }: CoreParts, list: Feature[] = features): Promise<Features> {
  const background = trackBackground()
  const hooks: Hooks = {
    ...{ signIn: [], ban: [], userDeletion: [], identityChange: [], factorChange: [] },
    ...{ adminCall: [], consents: [], afterAnswer: [], outOfSymbols: [] },
  }
  const byName = new Map<string, Opened>()
  const core: Core = {
    ...parts,
    hooks,
    onBackground: background.add,
    features: handlesOf(byName),
    auth: createAuth({ ...authDeps(parts, hooks), mail, onBackground: background.add, ...auth }),
  }
  for (const feature of list) byName.set(feature.name, await feature.open(core))
  const opened = [...byName.values()]
  return {
    core,
    opened,
    watchAdminCall: watchWith(hooks.adminCall),
    close: async (drainMs) => void (await Promise.all(opened.map(({ close }) => close?.(drainMs)))),
    finishBackground: background.finish,
  }
}

function handlesOf(opened: Map<string, Opened>): Handles {
  // A handle has the type that its feature declares, because it came from the `open` of the feature of this name.
  const find = <Handle>({ name }: Feature<Handle>) => opened.get(name)?.handle as Handle | undefined
  return {
    find,
    get: (feature) => {
      const handle = find(feature)
      if (handle === undefined) throw new Error(`The feature ${feature.name} is not open, or has no handle`)
      return handle
    },
  }
}

function authDeps({ db, log, limits, hub, settings }: Omit<CoreParts, 'mail'>, hooks: Hooks): Omit<AuthDeps, 'mail'> {
  const { appName, appUrl, secret, adminEmails, adminUserIds, adminFactor, firstUserIsAdmin } = settings
  return {
    ...{ db, log, limits, appName, appUrl, secret, adminEmails, adminUserIds, adminFactor, firstUserIsAdmin },
    trustedOrigins: trustedOrigins(appUrl, settings.production),
    providers: settings.socialProviders,
    trustedProviders: settings.trustedProviders,
    limitEmail: async (to) => void (await limits('emails', normaliseEmail(to))),
    onSessionEnded: hub.endSession,
    onSignIn: callAll(hooks.signIn),
    onBan: callAll(hooks.ban),
    onUserDeletion: callAll(hooks.userDeletion),
    onIdentityChanged: callAll(hooks.identityChange),
    onFactorChange: callAll(hooks.factorChange),
  }
}

const watchWith =
  (watchers: WatchAdminCall[]): WatchAdminCall =>
  async (ctx, path, body) => {
    const done = await Promise.all(watchers.map((watch) => watch(ctx, path, body)))
    return callAll(done)
  }

function trackBackground() {
  const running = new Set<Promise<void>>()
  return {
    add: (work: Promise<void>) => {
      running.add(work)
      void work.finally(() => running.delete(work))
    },
    finish: async () => void (await Promise.allSettled(running)),
  }
}
