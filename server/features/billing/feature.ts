import { IDENTITY_HASHES, keyFor } from '#server/lib/secrets.ts'
import type { Feature } from '../feature.ts'
import { storeIdentityHashes } from './identity-hashes.ts'
import { billingRoutes } from './routes.ts'
import { giveStartGift } from './start-gift.ts'
import { billingJobs, grantSweep, sweepHolds } from './sweeper.ts'

export const billing: Feature = {
  name: 'billing',
  open: ({ db, log, limits, publish, hooks, settings }) => {
    const identityKey = keyFor(settings.secret, IDENTITY_HASHES)
    const startGift = { db, limits, identityKey, symbols: settings.startSymbols, domains: settings.giftDomains }
    const deps = {
      db,
      onChanged: (userId: string) => publish(userId, { topic: 'profile', type: 'balance', data: null }),
      onError: (error: unknown, context: object) =>
        log.error({ err: error, ...context }, 'billing: a balance was not swept'),
    }
    hooks.signIn.push(async ({ userId, ip, isImpersonated }) => {
      if (!isImpersonated) await giveStartGift(startGift, userId, ip)
    })
    hooks.userDeletion.push(({ id }) => storeIdentityHashes(db, identityKey, [id]))
    hooks.identityChange.push((userId) => storeIdentityHashes(db, identityKey, [userId]))
    return {
      routes: (app) => billingRoutes(app, settings),
      jobs: billingJobs(db),
      sweeps: [grantSweep(deps)],
      recover: { kind: 'hold', recover: () => sweepHolds(deps) },
    }
  },
}
