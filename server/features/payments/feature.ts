import { IDENTITY_HASHES, keyFor } from '#server/lib/secrets.ts'
import type { Feature } from '../feature.ts'
import { promoKeys } from '../promocodes/promocodes.ts'
import type { PaymentDeps } from './deps.ts'
import { forgetPayer } from './event-store.ts'
import { syncIfRenewalDue } from './gateway-sync.ts'
import { seedOffer } from './plans.ts'
import { paymentJobs } from './poll-gateway.ts'
import { paymentRoutes, webhookRoute } from './routes.ts'
import { methodKeyOf } from './saved-methods.ts'

export const payments: Feature<PaymentDeps> = {
  name: 'payments',
  prepare: async ({ db, settings }) => {
    // The fake ЮKassa takes roubles only.
    const { fakeBepaid, fakeYookassa } = settings.payments
    if (!settings.production) await seedOffer(db, fakeYookassa && !fakeBepaid ? 'RUB' : 'BYN')
  },
  open: ({ db, log, limits, publish, shops, hooks, onBackground, settings }) => {
    const { appName, appUrl, secret } = settings
    const deps = {
      db,
      log,
      publish,
      shops,
      onBackground,
      appName,
      appUrl,
      identityKey: keyFor(secret, IDENTITY_HASHES),
      methodKey: methodKeyOf(secret),
    }
    hooks.userDeletion.push(({ email }) => forgetPayer(deps, email))
    hooks.outOfSymbols.push((userId) => syncIfRenewalDue(deps, userId))
    return {
      handle: deps,
      webhooks: (app) => webhookRoute(app, deps),
      routes: (app) => paymentRoutes(app, deps, { limits, ...promoKeys(secret) }),
      jobs: paymentJobs(deps),
    }
  },
}
