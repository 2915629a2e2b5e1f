import type { Feature } from '../feature.ts'
import { sharingRoutes } from './routes.ts'

export const sharing: Feature = {
  name: 'sharing',
  isOptional: true,
  open: ({ settings }) => ({ routes: (app) => sharingRoutes(app, settings.limits.totals) }),
}
