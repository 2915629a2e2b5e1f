import type { Feature } from '../feature.ts'
import { buildRoutes } from './routes.ts'

export const builds: Feature = {
  name: 'builds',
  isOptional: true,
  open: ({ settings }) => ({ routes: (app) => buildRoutes(app, settings.buildId) }),
}
