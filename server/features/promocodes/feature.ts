import type { Feature } from '../feature.ts'
import { promoKeys } from './promocodes.ts'
import { promocodeRoutes } from './routes.ts'

export const promocodes: Feature = {
  name: 'promocodes',
  isOptional: true,
  open: ({ limits, settings }) => ({
    routes: (app) => promocodeRoutes(app, { limits, ...promoKeys(settings.secret) }),
  }),
}
