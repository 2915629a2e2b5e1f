import type { Feature } from '../feature.ts'
import { translateRoutes } from './routes.ts'

export const translate: Feature = {
  name: 'translate',
  isOptional: true,
  open: ({ providers, instance, settings: { defaultModel } }) => ({
    routes: (app) => translateRoutes(app, { providers, instance, defaultModel }),
  }),
}
