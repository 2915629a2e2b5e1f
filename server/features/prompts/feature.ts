import { contentPath } from '#server/lib/content.ts'
import type { Feature } from '../feature.ts'
import { promptJobs } from './prompts.ts'
import { promptRoutes } from './routes.ts'
import { publishBuiltInPrompts, readSeeds } from './seeds.ts'

export const prompts: Feature = {
  name: 'prompts',
  isOptional: true,
  prepare: async ({ db, log }) => {
    const { seeds, problems } = readSeeds(contentPath('prompts'))
    if (problems.length > 0) log.warn({ problems }, 'prompts: problems in the files of the library')
    await publishBuiltInPrompts(db, seeds)
  },
  open: ({ db, settings }) => ({
    routes: (app) => promptRoutes(app, settings.limits.totals),
    jobs: promptJobs(db),
  }),
}
