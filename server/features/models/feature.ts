import type { Feature } from '../feature.ts'
import { retirementJobs } from './retirement.ts'
import { modelRoutes } from './routes.ts'
import { adjustModelsToSettings, seedModels } from './start-models.ts'

export const models: Feature = {
  name: 'models',
  prepare: async ({ db, settings }) => {
    await seedModels(db)
    const { modelProviders, defaultModel, wantsDemo } = settings
    await adjustModelsToSettings(db, { providers: modelProviders.map(({ name }) => name), defaultModel, wantsDemo })
  },
  open: ({ db, log, providers, settings: { appName, appUrl } }) => ({
    routes: (app) => modelRoutes(app, providers),
    jobs: retirementJobs({ db, log, providers, appName, appUrl }),
  }),
}
