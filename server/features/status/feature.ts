import type { Feature } from '../feature.ts'
import { health } from '../health/feature.ts'
import { statusRoutes } from './routes.ts'
import { adviceFor } from './status.ts'

export const status: Feature = {
  name: 'status',
  isOptional: true,
  open: ({ db, log, shops, settings, features, health: state }) => {
    const advice = adviceFor(settings)
    for (const { message } of advice) log.warn({ message }, 'settings: something is missing')
    const has = {
      hasRedis: settings.redisUrl !== null,
      hasMail: settings.smtp !== null,
      hasShop: Object.values(shops).some(Boolean),
    }
    const services = { ...features.get(health), ...has, advice, missing: state.missing }
    return { routes: (app) => statusRoutes(app, db, services) }
  },
}
