import type { Feature } from '../feature.ts'
import { disputeRoutes } from './routes.ts'

export const disputes: Feature = {
  name: 'disputes',
  isOptional: true,
  open: ({ settings }) => ({ routes: (app) => disputeRoutes(app, settings) }),
}
