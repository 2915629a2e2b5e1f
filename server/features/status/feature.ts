import type { Feature } from '../feature.ts'
import { health } from '../health/feature.ts'
import { statusRoutes } from './routes.ts'
import { adviceFor } from './status.ts'

export const status: Feature = {
  name: 'status',
  isOptional: true,
  open: ({ db, log, shops, settings, providers, features, health: state }) => {
    const advice = adviceFor(settings)
    for (const { message } of advice) log.warn({ message }, 'settings: something is missing')
    const on = Object.values(shops).filter((shop) => shop !== null)
    const withKey = () => providers.list().flatMap(({ kind, name }) => (kind === 'demo' ? [] : [name]))
    const services = {
      ...features.get(health),
      hasRedis: settings.redisUrl !== null,
      hasMail: settings.smtp !== null,
      hasShop: on.length > 0,
      isTestShop: on.some(({ test, isFake }) => test || isFake),
      providers: withKey,
      advice,
      missing: state.missing,
    }
    return { routes: (app) => statusRoutes(app, db, services, { shops, settings, providers: withKey }) }
  },
}
