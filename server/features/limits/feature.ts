import type { Feature } from '../feature.ts'
import { limitRoutes } from './routes.ts'

export const limits: Feature = {
  name: 'limits',
  isOptional: true,
  open: ({ settings }) => ({
    routes: (app) => limitRoutes(app, settings.limits, settings.embeddingFreeSymbols),
  }),
}
