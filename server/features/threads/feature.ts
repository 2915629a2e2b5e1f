import type { Feature } from '../feature.ts'
import { threadRoutes } from './routes.ts'
import { threadJobs } from './threads.ts'
import { nameThread } from './title.ts'

export const threads: Feature = {
  name: 'threads',
  open: (core) => {
    const { defaultModel, limits } = core.settings
    const deps = { ...core, defaultModel, totals: limits.totals }
    core.hooks.afterAnswer.push(async (answer) => {
      if (answer.followUp.title) await nameThread(deps, answer)
    })
    return { routes: (app) => threadRoutes(app, deps), jobs: threadJobs(core.db) }
  },
}
